package fact

import (
	"bytes"
	"encoding/gob"
	"reflect"

	"github.com/klauspost/compress/zstd"
)

// maxDecoded bounds a value that was encoded, in bytes before it was compressed.
const maxDecoded = 256 << 20

// Encode returns a value of facts, compressed and with a checksum.
func Encode(value any) []byte {
	var plain bytes.Buffer
	if err := gob.NewEncoder(&plain).Encode(value); err != nil {
		panic(err) // facts are values that gob knows
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are right
	}
	return encoder.EncodeAll(plain.Bytes(), nil)
}

// Decode reports whether data is a value that was encoded, whole, and fills it in.
func Decode(data []byte, value any) bool {
	if data == nil {
		return false
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDecoded))
	if err != nil {
		return false
	}
	defer decoder.Close()
	plain, err := decoder.DecodeAll(data, nil)
	if err != nil || gob.NewDecoder(bytes.NewReader(plain)).Decode(value) != nil {
		return false
	}
	share(reflect.ValueOf(value).Elem(), make(map[string]string))
	return true
}

// share makes equal texts in a value one: every place names a path, and few paths are different.
func share(v reflect.Value, known map[string]string) {
	switch v.Kind() {
	case reflect.String:
		if one, ok := known[v.String()]; ok {
			v.SetString(one)
		} else {
			known[v.String()] = v.String()
		}
	case reflect.Slice:
		for i := range v.Len() {
			share(v.Index(i), known)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			share(v.Field(i), known)
		}
	}
}
