package lsp

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp/internal/golang"
)

func TestRefineGo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, container string
		kind            Kind
		line            string
		want            Symbol
	}{
		{"e/a.F", "e/a", KindFunction, "func F() {", Symbol{Name: "F", Package: "e/a", Kind: KindFunction}},
		{"gopkg.in/yaml.v3.Node", "gopkg.in/yaml.v3", KindStruct, "type Node struct {", Symbol{Name: "Node", Package: "gopkg.in/yaml.v3", Kind: KindStruct}},
		{"e/a.T.M", "e/a", KindMethod, "func (t *T) M() {", Symbol{Name: "M", Receiver: "T", Package: "e/a", Kind: KindMethod}},
		{"e/a.T.f.g", "e/a", KindField, "\tf struct{ g int }", Symbol{Name: "g", Receiver: "T.f", Package: "e/a", Kind: KindField}},
		{"e/a.H", "e/a", KindFunction, "type H func()", Symbol{Name: "H", Package: "e/a", Kind: KindType}},
		{"e/a.H", "e/a", KindFunction, "\tH func() // in a group", Symbol{Name: "H", Package: "e/a", Kind: KindType}},
		{"e/a.C", "e/a", KindClass, "type C int", Symbol{Name: "C", Package: "e/a", Kind: KindType}},
		{"M", "", KindFunction, "func (t *T[K, V]) M() {", Symbol{Name: "M", Receiver: "T", Kind: KindMethod}},
		{"M", "", KindFunction, "func (T) M() {", Symbol{Name: "M", Receiver: "T", Kind: KindMethod}},
		{"M", "e/a • a.go", KindFunction, "\tM() error", Symbol{Name: "M", Package: "e/a", Kind: KindMethod}},
		{"func", "", KindFunction, "var f = func() {", Symbol{Name: "func", Kind: KindFunction}},
		{"F", "", KindFunction, "", Symbol{Name: "F", Kind: KindFunction}},
	}
	for _, test := range tests {
		got := Symbol{Name: test.name, Package: test.container, Kind: test.kind}
		golang.Language().Refine(&got, func() string { return test.line })
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s in %q: %s", test.name, test.line, diff)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, bin := range []string{"path", "gobin", "gopath/bin", "home/go/bin", "root/tools"} {
		put(t, filepath.Join(dir, bin, "a-server"), "")
		if err := os.Chmod(filepath.Join(dir, bin, "a-server"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, "not-executable", "a-server"), "")
	in := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	tests := []struct {
		name, command string
		env           []string
		want          string
	}{
		{"PATH first", "a-server", []string{"PATH=" + in("path"), "GOBIN=" + in("gobin")}, "path/a-server"},
		{"PATH in its order", "a-server", []string{"PATH=" + in("not-executable") + ":" + in("gobin") + ":" + in("path")}, "gobin/a-server"},
		{"the last PATH counts", "a-server", []string{"PATH=" + in("gobin"), "PATH=" + in("path")}, "path/a-server"},
		{"GOBIN", "a-server", []string{"PATH=/none", "GOBIN=" + in("gobin"), "GOPATH=" + in("gopath")}, "gobin/a-server"},
		{"GOPATH", "a-server", []string{"GOPATH=/none:" + in("gopath"), "HOME=" + in("home")}, "gopath/bin/a-server"},
		{"HOME", "a-server", []string{"HOME=" + in("home")}, "home/go/bin/a-server"},
		{"absolute", in("path/a-server"), nil, "path/a-server"},
		{"below the root", "./tools/a-server", nil, "root/tools/a-server"},
		{"nowhere", "a-server", []string{"PATH=/none"}, ""},
		{"not there", in("none/a-server"), nil, ""},
		{"relative PATH is not ours to follow", "a-server", []string{"PATH=tools"}, ""},
		{"beside the binary", filepath.Base(os.Args[0]), nil, os.Args[0]},
	}
	for _, test := range tests {
		language := golang.Language()
		language.Command = []string{test.command}
		got, err := language.Find(in("root"), test.env)
		want := test.want
		if want != "" && !filepath.IsAbs(want) {
			want = in(want)
		}
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v; want %q", test.name, got, err, want)
		}
		if err != nil && hint(err) == "" {
			t.Errorf("%s: no hint in %v", test.name, err)
		}
	}
}

// TestLanguages holds the table to what the rest of the package needs of an entry.
func TestLanguages(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, l := range Languages() {
		if l.ID == "" || l.Name == "" || len(l.Command) == 0 || l.Install == "" || len(l.RootMarkers) == 0 || len(l.Extensions) == 0 {
			t.Errorf("%s: something is empty in %+v", l.ID, l)
		}
		if seen[l.ID] {
			t.Errorf("%s is there twice", l.ID)
		}
		seen[l.ID] = true
	}
}
