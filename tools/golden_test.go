package tools_test

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tidepool/tools"
	"tidepool/tools/code"
	conversationtools "tidepool/tools/conversation"
	"tidepool/tools/execution"
	"tidepool/tools/internal/toolstest"
	journaltools "tidepool/tools/journal"
	memorytools "tidepool/tools/memory"
	"tidepool/tools/people"
	policytools "tidepool/tools/policy"
	scouttools "tidepool/tools/scout"
	skilltools "tidepool/tools/skill"
	teachtools "tidepool/tools/teach"
	worktools "tidepool/tools/work"
)

// What a model sees of the tools. A difference is a change of the product:
//
//	go test ./tools -run TestSurface -update
func TestSurface(t *testing.T) {
	r := tools.NewRegistry()
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
	if *toolstest.Update {
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
	r := tools.NewRegistry()
	for _, toolset := range toolsets() {
		if err := r.Discover(toolset); err != nil {
			t.Fatal(err)
		}
	}
	text := tools.Instructions()
	if n := utf8.RuneCountInString(text); n > 2048 {
		t.Errorf("%d characters, at most 2048", n)
	}
	names := regexp.MustCompile(`\b[a-z]+_[a-z]+\b`).FindAllString(text, -1)
	for _, d := range r.Definitions() {
		family, _, _ := strings.Cut(d.Name, "_") // a client lists all names; a family is enough where the names say the rest
		if !strings.Contains(text, d.Name) && !strings.Contains(text, " "+family+"_*") {
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
	r := tools.NewRegistry()
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

// Each tool understands the names that other tools give to an argument of the same meaning.
func TestArgumentsMeanTheSameEverywhere(t *testing.T) {
	r := tools.NewRegistry()
	for _, toolset := range toolsets() {
		if err := r.Discover(toolset); err != nil {
			t.Fatal(err)
		}
	}
	spellings := map[string]map[string]string{}
	for _, d := range r.Definitions() {
		spellings[d.Name] = d.Spellings
	}
	for _, test := range []struct{ tool, spelling, want string }{
		{"find_callers", "type_name", "name"}, {"find_callers", "limit", "max_results"}, {"show_fields", "name", "type_name"}, {"show_constructors", "symbols", "type_name"},
		{"scout", "name", "symbols"}, {"scout", "topic", "query"}, {"teach-graph", "symbol", "seeds"}, {"teach-graph", "query", "topic"},
		{"memory_recall", "question", "query"}, {"search_conversations", "max_results", "limit"}, {"spawn_agents", "bead_id", "bead_ids"},
		{"confirm_action", "question", "action"}, {"select_option", "question", "prompt"}, {"request_guidance", "prompt", "context"},
		{"skill_create", "symbol", ""}, {"policy_check", "question", ""}, {"safe_bash", "query", ""},
	} {
		if got := spellings[test.tool][test.spelling]; got != test.want {
			t.Errorf("%s takes %s for %q, want %q", test.tool, test.spelling, got, test.want)
		}
	}
}

// toolsets are all there are.
func toolsets() []tools.Toolset {
	return []tools.Toolset{
		&code.Toolset{}, &scouttools.Toolset{}, &teachtools.Toolset{}, &people.Toolset{}, &worktools.Toolset{}, &conversationtools.Toolset{}, &memorytools.Toolset{}, &journaltools.Toolset{}, &execution.Toolset{}, &skilltools.Toolset{}, &policytools.Toolset{},
	}
}
