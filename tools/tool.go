package tools

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// A tool is one method of a toolset, ready to call.
type tool struct {
	definition Definition
	input      *input
	fn         reflect.Value
}

func newTool(name string, fn reflect.Value) (*tool, error) {
	if err := checkSignature(fn.Type()); err != nil {
		return nil, err
	}
	in, err := newInput(name, fn.Type().In(2))
	if err != nil {
		return nil, err
	}
	return &tool{definition: Definition{Name: name, InputSchema: in.schema, Spellings: certain(in.meant)}, input: in, fn: fn}, nil
}

func checkSignature(t reflect.Type) error {
	const want = "func(context.Context, Call, In) (Out, error)"
	switch {
	case t.IsVariadic() || t.NumIn() != 3 || t.NumOut() != 2,
		t.In(0) != reflect.TypeFor[context.Context](), t.In(1) != reflect.TypeFor[Call](),
		t.Out(1) != reflect.TypeFor[error]():
		return fmt.Errorf("a tool is %s, this is %s", want, t)
	case t.In(2).Kind() != reflect.Struct:
		return fmt.Errorf("the In of %s must be a struct, this is %s", want, t.In(2))
	}
	return nil
}

func (t *tool) call(ctx context.Context, call Call, in reflect.Value) (any, error) {
	results := t.fn.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(call), in})
	if failure := results[1]; !failure.IsNil() {
		err, _ := failure.Interface().(error)
		return nil, err
	}
	out := results[0]
	if out.Kind() == reflect.Pointer && out.IsNil() {
		return nil, errors.New(t.definition.Name + " returned neither an output nor an error")
	}
	return out.Interface(), nil
}

// toolName turns a method's name into a tool's: FindCallers is find_callers, ListHTTPRoutes is list_http_routes.
func toolName(method string) string {
	var b strings.Builder
	runes := []rune(method)
	for i, r := range runes {
		startsWord := i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if startsWord {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
