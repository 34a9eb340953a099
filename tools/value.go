package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
)

// fits reports whether value has a type of JSON schema.
func fits(want string, value any) bool {
	if number, ok := value.(json.Number); ok && want == "integer" {
		return float(number) == math.Trunc(float(number))
	}
	return typeOf(value) == want
}

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// float returns the nearest float64, infinite beyond its range. The exact value could need a gigabyte: 1e999999999.
func float(n json.Number) float64 {
	f, _ := n.Float64() // its errors come with the nearest value
	return f
}

func shortest(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// parse decodes one JSON value, its numbers as they are written.
func parse(raw []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the value")
	}
	return value, nil
}
