package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// A testCase is a question about a change with the places that the change breaks, as a compiler, an analyser or a run
// of the tests has found them.
type testCase struct {
	ID       string   `json:"id"`
	Module   string   `json:"module"` // path@version of a Go module, or a directory below testdata
	Kind     string   `json:"kind"`   // one of kinds
	Symbol   string   `json:"symbol"` // as people write it: pkg.T.M
	Name     string   `json:"name"`   // its last identifier
	Decl     position `json:"decl"`
	Question string   `json:"question"`
	Truth    []broken `json:"truth"`
	Neutral  []string `json:"neutral"` // units that neither help nor hurt, such as the declaration itself
}

// A position is a place in a file, 1-based, the column in bytes.
type position struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

// A broken place is one that the change touches.
type broken struct {
	File   string   `json:"file"` // slash path below the module
	Line   int      `json:"line"`
	Symbol string   `json:"enclosing_symbol"`
	Core   bool     `json:"core"`   // must be edited or decided by hand
	Accept []string `json:"accept"` // other units that count as naming it, such as the methods of an implementing type
}

func (b broken) unit() string { return b.File + "#" + b.Symbol }

// A kind is a class of changes.
type kind struct {
	letter string
	what   string // for people
	change string // what scout calls it
}

func kinds() []kind {
	return []kind{
		{"a", "a parameter more", "add_parameter"},
		{"b", "an interface's method more", "add_method"},
		{"c", "a field less", "remove_field"},
		{"d", "a field's type", "change_type"},
		{"e", "an enum's variant more", "add_variant"},
		{"f", "an error passed up", "return_error"},
		{"g", "an implementation more", "add_implementation"},
		{"h", "which tests fail", "change_behavior"},
		{"i", "another name", "rename"},
		{"j", "a declaration less", "delete"},
		{"k", "a signature otherwise", "change_signature"},
	}
}

// changeOf returns what a caller who knows the kind of change would pass.
func (c testCase) changeOf() string {
	for _, k := range kinds() {
		if k.letter == c.Kind {
			return k.change
		}
	}
	return ""
}

func readCases(path string) ([]testCase, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var cases []testCase
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var c testCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}
