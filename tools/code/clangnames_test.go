package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

// placesOf lists call sites as "file:line kind".
func placesOf(c *Toolset, out *FindCallersOutput) string {
	var all []string
	for _, s := range out.CallSites {
		all = append(all, fmt.Sprintf("%s:%d %s", query.Relative(c.Root, s.File), s.Line, s.Kind))
	}
	return strings.Join(all, ", ")
}

// asked asks for the callers of a name.
func asked(t *testing.T, c *Toolset, name string) *FindCallersOutput {
	t.Helper()
	out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: name, MaxResults: 50})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// Names that clangd writes in another way than people, or not at all.
func TestClangNames(t *testing.T) {
	c := over(toolstest.ServeFile(t, "c", "namesclang"))
	t.Run("switches", func(t *testing.T) { clangSwitches(t, c) })
	t.Run("callers", func(t *testing.T) { clangCallers(t, c) })
	t.Run("implicit", func(t *testing.T) { clangImplicit(t, c) })
	t.Run("parts", func(t *testing.T) { clangParts(t, c) })
	t.Run("types", func(t *testing.T) { clangTypes(t, c) })
}

func clangCallers(t *testing.T, c *Toolset) {
	for names, want := range map[string]string{
		"box.c:helper": "box.c:5 call, box.c:7 call", "box2.c:helper": "box2.c:3 call",
		"box_make box.h:box_make box.c:box_make":                                          "box.c:8 call, box2.c:3 call",
		"forward box.c:forward":                                                           "box.c:5 call",
		"s.cpp:geo::total s.cpp:total":                                                    "s.cpp:13 call",
		"area geo::area geo::v1::area v1::area s.h:geo::area s.cpp:geo::v1::area":         "s.cpp:3 call, s.cpp:14 call",
		"Shape::side geo::Shape::side s.h:geo::Shape::side s.cpp:geo::Shape::side":        "s.cpp:15 call",
		"s.h:geo::Shape::make s.cpp:Shape::make":                                          "s.cpp:5 call, s.cpp:16 call",
		"Inner::deep geo::Shape::Inner::deep s.h:geo::Shape::Inner::deep s.h:Inner::deep": "s.cpp:17 call",
		"geo::detail::low s.h:geo::detail::low s.cpp:geo::detail::low":                    "s.cpp:18 call",
		"add_op ops.c:add_op":                                                             "ops.c:11 call, ops.c:14 value",
		"thrice ops.c:thrice":                                                             "ops.c:11 call",
		"my_pasted ops.c:my_pasted ops.h:my_pasted":                                       "ops.c:12 call, ops.c:12 call",
		"on_close event.c:on_close":                                                       "event.def:2 value",
		"on_open event.c:on_open":                                                         "event.def:1 value, plain.def:1 call",
		"Step::go local.cpp:Step::go local::Step::go":                                     "local.cpp:2 interface call, local.cpp:8 call",
		"counted event.c:counted":                                                         "expand.c:4 value, expand.c:8 call",
		"on_read event.c:on_read":                                                         "expand.c:3 value, expand.c:5 value, expand.c:6 call, expand.c:6 call, expand.c:6 call, expand.c:7 call, expand.c:7 call, plain.def:2 call",
	} {
		for name := range strings.FieldsSeq(names) {
			out := asked(t, c, name)
			if got := placesOf(c, out); got != want || out.Completeness.State != lsp.Complete {
				t.Errorf("%s: %s (%s), want %s\n%s", name, got, out.Completeness.State, want, out.Text())
			}
		}
	}
	if out := asked(t, c, "s.h:geo::total"); len(out.Candidates) != 2 {
		t.Errorf("two overloads: %s", out.Text())
	}
	for _, candidate := range asked(t, c, "Crate::put").Candidates {
		if out := asked(t, c, candidate.Name); out.DefinitionFile == nil || *out.DefinitionFile != candidate.File {
			t.Errorf("the candidate %s is not found: %s", candidate.Name, out.Text())
		}
	}
	if out := asked(t, c, "lone_op"); out.Completeness.State != lsp.Partial || !strings.Contains(out.Text(), "calls not known yet") {
		t.Errorf("a function that nothing names: %s", out.Text())
	}
}

// What runs a function without naming it makes the answer partial.
func clangImplicit(t *testing.T, c *Toolset) {
	for name, want := range map[string]string{
		"Crate::begin": "crate.cpp:8 call: C++ calls begin in for loops over a value without naming it",
		"Crate::end":   ": C++ calls end in for loops over a value without naming it", "Crate::~Crate": ": C++ calls ~Crate where the life of a value ends without naming it",
		"Crate::operator bool": "crate.cpp:10 call: ", "crate.cpp:Crate::operator bool": "crate.cpp:10 call: ",
		"Crate::lowest": "crate.cpp:2 call, crate.cpp:3 call: ", "shut_one": "clean.c:7 value: ", "shut_three": "clean.c:9 value, clean.c:11 call: ",
		"shut_four": "clean.h:3 value: clean.h:3 may mean shut_four in what a macro makes, where clangd does not list all uses",
		"shut_two":  ": clean.h:1 names shut_two in a macro as the cleanup of variables, and clangd does not list where that is used",
	} {
		out := asked(t, c, name)
		if got := placesOf(c, out) + ": " + out.Completeness.Reason; got != want {
			t.Errorf("%s: %s, want %s\n%s", name, got, want, out.Text())
		}
	}
}

// A unit that another one includes has two meanings, of which clangd keeps one.
func clangParts(t *testing.T, c *Toolset) {
	for name, want := range map[string]string{
		"fast": "line 7 mentions fast between #if and #endif", "slow": "line 9 mentions slow between #if and #endif",
		"first": "a macro of util.c mentions first", "second": "a macro of unity.c mentions second",
		"unity.c:hidden": "line 12 mentions hidden",
	} {
		out := asked(t, c, name)
		reason := "util.c is compiled alone and as a part of unity.c, and clangd keeps the uses of one: " + want
		found := name == "unity.c:hidden" && placesOf(c, out) == "util.c:12 call" // it was read as a part of unity.c
		if !found && !strings.Contains(out.Completeness.Reason, reason) {
			t.Errorf("%s is %+v, want %s\n%s", name, out.Completeness, reason, out.Text())
		}
	}
	for name, want := range map[string]string{"both": "util.c:12 call", "pick": "", "apart.c:hidden": "apart.c:2 call"} {
		if out := asked(t, c, name); placesOf(c, out) != want || strings.Contains(out.Completeness.Reason, "as a part of") {
			t.Errorf("%s, which means the same in both: %s", name, out.Text())
		}
	}
}

func clangTypes(t *testing.T, c *Toolset) {
	for name, want := range map[string]string{
		"box": "w h", "box.h:box": "w h", "mix": "w f", "later": "n", "shade": "DARK LIGHT", "s.h:geo::Shape": "", "colour": "RED GREEN BLUE",
	} {
		out, err := c.ShowFields(t.Context(), tools.Call{}, ShowFieldsInput{TypeName: name})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range out.Fields {
			got = append(got, f.Name)
		}
		if len(out.Candidates) > 0 || strings.Join(got, " ") != want && !strings.Contains(out.Text(), "enumerators") {
			t.Errorf("%s has %q, want %q\n%s", name, got, want, out.Text())
		}
	}
}

// The first stands in a list of macros, of which clangd forgets the others when it has the list open.
func clangSwitches(t *testing.T, c *Toolset) {
	for _, of := range []struct{ name, want string }{
		{"TOK_IDENT", "token.c:3 a case of it at line 3, without a default"},
		{"colour", "kinds.c:3 lists 2 of 3 members of colour, with a default"},
		{"shade", "kinds.c:6 lists 1 of 2 members of shade, with a default"},
		{"listed", "kinds.c:9 lists 3 of 3 members of listed, without a default"},
		{"token", "token.c:3 lists 2 of 2 members of token, without a default"},
		{"plain", "token.c:7 lists 2 of 2 members of plain, without a default"},
		{"op", "token.c:11 lists 1 of 2 members of op, with a default"},
		{"IDENT", "token.c:7 a case of it at line 7, without a default"},
		{"OP_SUB", ""},
	} {
		name, want := of.name, of.want
		g := graphOf(t, c)
		nodes, err := g.Resolve(t.Context(), name)
		if err != nil || len(nodes) != 1 {
			t.Errorf("%s: %v, %v", name, nodes, err)
			continue
		}
		edges, err := g.Edges(t.Context(), nodes[0], scout.Change{})
		if err != nil {
			t.Fatal(err)
		}
		edges = slices.DeleteFunc(edges, func(e scout.Edge) bool { return e.Role != scout.RoleSwitch })
		got := ""
		for _, e := range edges {
			got += fmt.Sprintf("%s:%d %s", e.To.Path, e.To.Line, e.Reason)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Headers of the system have any extension or none, and clangd lists what they declare, also of those that it cannot compile alone.
func TestClangSystemHeaders(t *testing.T) {
	system := t.TempDir() + "/include"
	lsptest.Put(t, system+"/lib/view", "namespace lib { struct view { int copy(int); }; inline int view::copy(int x) { return x; } }\n")
	lsptest.Put(t, system+"/lib/basic.tcc", "namespace lib { inline int copy(long x) { return x; } }\n")
	c := over(toolstest.Serve(t, t.TempDir(), "c", "-- compile_flags.txt --\n-xc++\n-isystem\n"+system+"\n-- a.cpp --\n"+
		"#include <lib/view>\n#include <lib/basic.tcc>\nint copy(char x) { return x; }\nint use() { lib::view v; return copy('a') + lib::copy(1l) + v.copy(2); }\n"))
	for name, want := range map[string]string{"a.cpp:copy": "a.cpp:4 call", "view::copy": "a.cpp:4 call"} {
		if got := placesOf(c, asked(t, c, name)); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if out := asked(t, c, "copy"); len(out.Candidates) != 3 {
		t.Errorf("copy: %+v", out)
	}
}
