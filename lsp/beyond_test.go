package lsp

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestMarkRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	use := "package main\n\nfunc b() { helper() }\n"
	write(t, dir, "-- go.mod --\nmodule e\n\ngo 1.26\n-- main.go --\n"+helper+"-- b_plan9.go --\n"+use+"-- c_plan9.go --\n"+use)
	v := view(t, openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}}))
	found, err := v.Symbols(t.Context(), "helper")
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := v.References(t.Context(), found[0].Location, false); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		read  []string
		state State
		why   string
	}{
		{nil, Partial, "b_plan9.go mentions helper"},
		{[]string{"b_plan9.go", "main.go"}, Partial, "c_plan9.go mentions helper"},
		{[]string{"c_plan9.go"}, Complete, ""},
	} {
		for _, name := range tt.read {
			v.MarkRead(filepath.Join(v.Root(), name))
		}
		if c := v.Completeness(); c.State != tt.state || !strings.HasPrefix(c.Reason, tt.why) || (c.Reason == "") != (tt.why == "") {
			t.Errorf("having read %s: %s %q, want %s %q", tt.read, c.State, c.Reason, tt.state, tt.why)
		}
	}
}
