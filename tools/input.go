package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	reflector "github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

// An input decodes and checks the arguments of one tool.
type input struct {
	tool      string
	typ       reflect.Type
	described *reflector.Schema
	schema    json.RawMessage // described, as a model sees it
	checked   *validator.Schema
	defaults  []byte // a JSON object of the properties that have one
}

func newInput(tool string, typ reflect.Type) (*input, error) {
	described, err := describe(typ)
	if err != nil {
		return nil, err
	}
	in := &input{tool: tool, typ: typ, described: described}
	if in.schema, err = json.Marshal(described); err != nil {
		return nil, fmt.Errorf("encoding the schema of %s: %w", typ, err)
	}
	if in.checked, err = compile(tool, in.schema); err != nil {
		return nil, fmt.Errorf("compiling the schema of %s: %w", typ, err)
	}
	if in.defaults, err = json.Marshal(defaultsOf(described)); err != nil {
		return nil, fmt.Errorf("encoding the defaults of %s: %w", typ, err)
	}
	return in, json.Unmarshal(in.defaults, reflect.New(typ).Interface())
}

func compile(tool string, schema []byte) (*validator.Schema, error) {
	doc, err := validator.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := validator.NewCompiler()
	if err := c.AddResource(tool, doc); err != nil {
		return nil, err
	}
	return c.Compile(tool)
}

// decode returns a value of the tool's In, its defaults filled in, or an *ArgumentError.
func (in *input) decode(arguments json.RawMessage) (reflect.Value, error) {
	raw := bytes.TrimSpace(arguments)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return reflect.Value{}, in.refuse("arguments: not valid JSON: " + err.Error())
	}
	if err := in.checked.Validate(doc); err != nil {
		return reflect.Value{}, in.refuse(in.problems(err)...)
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
