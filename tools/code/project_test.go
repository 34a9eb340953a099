package code

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

// newCode serves a module with the given files.
func newCode(t *testing.T, gopls string, files map[string]string) *Toolset {
	t.Helper()
	return over(toolstest.ModuleWith(t, gopls, files))
}

func over(tree toolstest.Tree) *Toolset {
	return &Toolset{Project: tree.Project, Root: tree.Root, Memory: new(lang.Memory)}
}

func TestWithoutGopls(t *testing.T) {
	c := newCode(t, filepath.Join(t.TempDir(), "gopls"), map[string]string{"a.go": "package m\n"})
	calls := map[string]func() error{
		"find_callers": func() error {
			_, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "F"})
			return err
		},
		"show_fields": func() error {
			_, err := c.ShowFields(t.Context(), tools.Call{}, ShowFieldsInput{TypeName: "T"})
			return err
		},
		"show_constructors": func() error {
			_, err := c.ShowConstructors(t.Context(), tools.Call{}, ShowConstructorsInput{TypeName: "T"})
			return err
		},
	}
	for tool, call := range calls {
		err := call()
		var advice interface{ Hint() string }
		if !errors.As(err, &advice) || advice.Hint() == "" || !strings.Contains(err.Error(), "gopls") {
			t.Errorf("%s: got %v, want an error about gopls that says what to do", tool, err)
		}
	}
}

// A project that does not compile still gives what is known of it, and says what that is worth.
func TestBrokenProject(t *testing.T) {
	gopls, err := toolstest.Gopls()
	if err != nil {
		t.Fatal(err)
	}
	c := newCode(t, gopls, map[string]string{
		"a.go": "package m\n\nfunc F() {}\n\ntype T struct {\n\tA int\n\tB Missing\n}\n\nfunc g() { F() }\n",
		"b.go": "package m\n\nfunc h() {\n\tF()\n\tundefined()\n\tvar x int = \"\"\n}\n\nfunc k( {\n",
	})
	out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "F", MaxResults: 50})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.CallSites) != 2 || out.Completeness.State != lsp.Partial || out.Warning == nil {
		t.Errorf("got %s", out.Text())
	}
	fields, err := c.ShowFields(t.Context(), tools.Call{}, ShowFieldsInput{TypeName: "T"})
	if err != nil || len(fields.Fields) != 2 || fields.Fields[1].Type != "Missing" {
		t.Errorf("got %v, %v", fields, err)
	}
}

// What changes on the disk between two calls is in the second answer.
func TestChangedFile(t *testing.T) {
	gopls, err := toolstest.Gopls()
	if err != nil {
		t.Fatal(err)
	}
	c := newCode(t, gopls, map[string]string{"a.go": "package m\n\nfunc F() {}\n\nfunc g() { F() }\n"})
	count := func() int {
		out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "F", MaxResults: 50})
		if err != nil {
			t.Fatal(err)
		}
		return len(out.CallSites)
	}
	if n := count(); n != 1 {
		t.Errorf("%d calls at first", n)
	}
	src := "package m\n\nfunc F() {}\n\n// more\nfunc g() { F(); F() }\n\nfunc h() { F() }\n"
	if err := os.WriteFile(filepath.Join(c.Root, "a.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Project.FilesChanged("a.go")
	if n := count(); n != 3 {
		t.Errorf("%d calls after the change, want 3", n)
	}
}

func TestCancelledCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := zoo.FindCallers(ctx, tools.Call{}, FindCallersInput{Name: "zoo.Feed"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Warm calls, against the references request that find_callers cannot do without.
//
//	go test -run '^$' -bench FindCallers ./tools/code
func BenchmarkFindCallers(b *testing.B) {
	view, err := zoo.Project.View(b.Context(), lsp.ViewOptions{})
	if err != nil {
		b.Fatal(err)
	}
	symbols, err := view.Symbols(b.Context(), "zoo.Feed")
	if err != nil || len(symbols) == 0 {
		b.Fatal(symbols, err)
	}
	b.Run("references", func(b *testing.B) {
		for b.Loop() {
			if _, err := view.References(b.Context(), symbols[0].Location, false); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("find_callers", func(b *testing.B) {
		for b.Loop() {
			if _, err := zoo.FindCallers(b.Context(), tools.Call{}, FindCallersInput{Name: "zoo.Feed", ContextLines: 1, MaxResults: 50}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// gopls lists 100 symbols at most, and none within a function: the file before a name finds the others.
func TestFileBeforeWhatServersDoNotList(t *testing.T) {
	gopls, err := toolstest.Gopls()
	if err != nil {
		t.Fatal(err)
	}
	var many strings.Builder
	many.WriteString("package m\n")
	for i := range 120 {
		fmt.Fprintf(&many, "type T%d struct{}\n\nfunc (T%d) Close() {}\n", i, i)
	}
	c := newCode(t, gopls, map[string]string{
		"many.go": many.String(),
		"z.go":    "package m\n\ntype Z struct{}\n\nfunc (Z) Close() {}\n\nfunc use() { Z{}.Close() }\n",
		"local.go": "package m\n\nfunc f() {\n\ttype local struct{ A int }\n\t_ = local{A: 1}\n}\n\nfunc g() {\n\ttype local struct{ B int }\n" +
			"\t_ = local{}\n}\n",
	})
	out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "z.go:Close", MaxResults: 50})
	if err != nil || len(out.CallSites) != 1 || out.symbol != "Z.Close" {
		t.Errorf("z.go:Close: %v %s", err, out.Text())
	}
	for name, want := range map[string]string{"local.go:f.local": "A", "local.go:9:local": "B", "local.go:4": "A"} {
		fields, err := c.ShowFields(t.Context(), tools.Call{}, ShowFieldsInput{TypeName: name})
		if err != nil || len(fields.Fields) != 1 || fields.Fields[0].Name != want {
			t.Errorf("%s: %v, want the field %s: %s", name, err, want, fields.Text())
		}
	}
	fields, err := c.ShowFields(t.Context(), tools.Call{}, ShowFieldsInput{TypeName: "local.go:local"})
	if err != nil || len(fields.Candidates) != 2 || fields.Candidates[0].Name != "local.go:f.local" || fields.Candidates[1].Name != "local.go:g.local" {
		t.Errorf("local.go:local: %v %s", err, fields.Text())
	}
}
