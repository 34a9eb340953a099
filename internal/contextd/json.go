package contextd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A jsonCodec reads and writes messages as JSON with the names of the contract. Its value is its name.
type jsonCodec struct{ name string }

// Name returns what the content type says of the codec.
func (c jsonCodec) Name() string { return c.name }

// Marshal returns a message as JSON, with the zero values of fields that are always there. protojson varies white space on purpose.
func (jsonCodec) Marshal(message any) ([]byte, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true, EmitDefaultValues: true}.Marshal(message.(proto.Message))
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	err = json.Compact(&compact, text)
	return compact.Bytes(), err
}

// Unmarshal reads a message. A field that there is not is an error, which names the nearest.
func (jsonCodec) Unmarshal(text []byte, into any) error {
	message := into.(proto.Message)
	err := protojson.Unmarshal(text, message)
	if err == nil {
		return nil
	}
	var given map[string]json.RawMessage
	if failed := json.Unmarshal(text, &given); failed != nil {
		return fmt.Errorf("the body is not a JSON object: %w", failed)
	}
	names := fieldsOf(message.ProtoReflect().Descriptor())
	for _, name := range keys(given) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s has no field %q: %s", message.ProtoReflect().Descriptor().Name(), name, choice(name, names))
		}
	}
	return err
}

// fieldsOf returns the names of the fields of a message.
func fieldsOf(message protoreflect.MessageDescriptor) (names []string) {
	for i := range message.Fields().Len() {
		names = append(names, message.Fields().Get(i).TextName())
	}
	return names
}
