package lsp

import (
	"fmt"
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

// However many files are left out of the build, only those that mention the name count.
func TestManyFilesBeyond(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := "-- go.mod --\nmodule e\n\ngo 1.26\n-- main.go --\npackage main\n\nfunc main() { known(); common(); lonely() }\n\nfunc lonely() {}\n\nfunc known() {}\n\nfunc common() {}\n"
	for i := range 300 {
		use := "common"
		if i == 250 {
			use = "known(); common"
		}
		files += fmt.Sprintf("-- f%d_plan9.go --\npackage main\n\nfunc f%d() { %s() }\n", i, i, use)
	}
	write(t, dir, files)
	p := openWith(t, Options{Root: dir, Languages: []Language{gopls(t)}})
	for name, want := range map[string]string{
		"lonely": "", "known": "f250_plan9.go mentions known but is left out of the build", "common": "300 source files that may mention common are not loaded",
	} {
		v := view(t, p)
		found, err := v.Symbols(t.Context(), name)
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %+v, %v", name, found, err)
		}
		if _, err := v.References(t.Context(), found[0].Location, false); err != nil {
			t.Fatal(err)
		}
		if c := v.Completeness(); !strings.HasPrefix(c.Reason, want) || (c.State == Complete) != (want == "") {
			t.Errorf("%s: %s %q, want %q", name, c.State, c.Reason, want)
		}
	}
}
