package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write testdata/tools.golden.json")

// What a model sees of the tools. A difference is a change of the product:
//
//	go test ./tools -run TestSurface -update
func TestSurface(t *testing.T) {
	r := NewRegistry()
	for _, toolset := range toolsets() {
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

// Claude Code cuts instructions like descriptions, and a tool that they do not name is seldom found.
func TestInstructionsNameEveryTool(t *testing.T) {
	r := NewRegistry()
	for _, toolset := range toolsets() {
		if err := r.Discover(toolset); err != nil {
			t.Fatal(err)
		}
	}
	text := Instructions()
	if n := utf8.RuneCountInString(text); n > maxDescription {
		t.Errorf("%d characters, at most %d", n, maxDescription)
	}
	names := regexp.MustCompile(`\b[a-z]+_[a-z]+\b`).FindAllString(text, -1)
	for _, d := range r.Definitions() {
		if !strings.Contains(text, d.Name) {
			t.Errorf("%s is not named", d.Name)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == d.Name })
	}
	if len(names) > 0 {
		t.Errorf("names no tool: %v", names)
	}
}

// Clients drop tools, or whole lists of them, for less than a plain object.
func TestSchemasArePlain(t *testing.T) {
	r := NewRegistry()
	for _, toolset := range toolsets() {
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
		if aboutCode := strings.Contains(d.Name, "show_") || d.Name == "find_callers" || d.Name == "scout" || d.Name == "teach-graph"; aboutCode && !d.Annotations.ReadOnlyHint {
			t.Errorf("%s is not read-only", d.Name)
		}
	}
}

// toolsets are all there are.
func toolsets() []any { return []any{&Code{}, &Scout{}, &Teach{}, &People{}, &Exo{}} }
