package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/invopop/jsonschema"
)

// An input decodes and checks the arguments of one tool.
type input struct {
	tool      string
	typ       reflect.Type
	described *jsonschema.Schema
	schema    json.RawMessage     // described, as a model sees it
	defaults  []byte              // a JSON object of the properties that have one
	meant     map[string][]string // by spelling, the properties that it may mean
}

func newInput(tool string, typ reflect.Type) (*input, error) {
	described, err := describe(typ)
	if err != nil {
		return nil, err
	}
	in := &input{tool: tool, typ: typ, described: described}
	if in.meant, err = meant(typ, described); err != nil {
		return nil, err
	}
	if in.schema, err = json.Marshal(described); err != nil {
		return nil, fmt.Errorf("encoding the schema of %s: %w", typ, err)
	}
	if in.defaults, err = json.Marshal(defaultsOf(described)); err != nil {
		return nil, fmt.Errorf("encoding the defaults of %s: %w", typ, err)
	}
	return in, json.Unmarshal(in.defaults, reflect.New(typ).Interface())
}

// decode returns a value of the tool's In, its defaults filled in, or an *ArgumentError.
func (in *input) decode(arguments json.RawMessage) (reflect.Value, error) {
	raw := bytes.TrimSpace(arguments)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	doc, err := parse(raw)
	if err != nil {
		return reflect.Value{}, in.refuse("arguments: not valid JSON: " + err.Error())
	}
	if raw, err = in.fit(raw, doc); err != nil {
		return reflect.Value{}, err
	}
	v := reflect.New(in.typ)
	if err := json.Unmarshal(in.defaults, v.Interface()); err != nil {
		return reflect.Value{}, fmt.Errorf("decoding the defaults of %s: %w", in.tool, err)
	}
	if err := json.Unmarshal(raw, v.Interface()); err != nil {
		return reflect.Value{}, in.refuse(misfit(err))
	}
	return v.Elem(), nil
}

// fit returns arguments as the schema has them, or an *ArgumentError. It may change doc, which is raw decoded.
func (in *input) fit(raw []byte, doc any) ([]byte, error) {
	var changed bool
	var problems []string
	arguments, isObject := doc.(map[string]any)
	if isObject {
		changed, problems = in.settle(arguments)
	}
	if len(problems) == 0 {
		problems = check(in.described, doc, "")
	}
	if len(problems) > 0 {
		slices.Sort(problems)
		return nil, in.refuse(problems...)
	}
	if !changed {
		return raw, nil
	}
	return json.Marshal(arguments)
}

func (in *input) refuse(problems ...string) error {
	return &ArgumentError{Tool: in.tool, Problems: problems, Accepts: parameters(in.described)}
}

// misfit describes what the schema lets through and Go cannot hold, such as 1e30 for an int.
func misfit(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s: %s is not a possible %s here", wrong.Field, wrong.Value, wrong.Type)
	}
	return "arguments: " + err.Error()
}
