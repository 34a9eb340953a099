package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/tools.golden.json")

// What a model sees of the tools. A difference is a change of the product:
//
//	go test ./tools -run TestSurface -update
func TestSurface(t *testing.T) {
	r := NewRegistry()
	for _, toolset := range []any{&Code{}, &Scout{}} {
		if err := r.Discover(toolset); err != nil {
			t.Fatal(err)
		}
	}
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.Definitions()); err != nil {
		t.Fatal(err)
	}
	const path = "testdata/tools.golden.json"
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the tools have changed; if that is meant, run this test with -update. They are now:\n%s", got.Bytes())
	}
}

// Clients drop tools, or whole lists of them, for less than a plain object.
func TestSchemasArePlain(t *testing.T) {
	r := NewRegistry()
	for _, toolset := range []any{&Code{}, &Scout{}} {
		if err := r.Discover(toolset); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range r.Definitions() {
		var schema map[string]any
		if err := json.Unmarshal(d.InputSchema, &schema); err != nil {
			t.Fatal(err)
		}
		if schema["type"] != "object" || schema["additionalProperties"] != false {
			t.Errorf("%s: not a closed object: %s", d.Name, d.InputSchema)
		}
		for _, key := range []string{"$ref", "$defs", "$schema", "$id"} {
			if bytes.Contains(d.InputSchema, []byte(`"`+key+`"`)) {
				t.Errorf("%s: the schema has a %s", d.Name, key)
			}
		}
		for _, key := range []string{"oneOf", "anyOf", "allOf"} {
			if schema[key] != nil {
				t.Errorf("%s: the schema has %s at the top", d.Name, key)
			}
		}
		if !d.Annotations.ReadOnlyHint {
			t.Errorf("%s is not read-only", d.Name)
		}
	}
}
