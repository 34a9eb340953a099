package code

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
)

var want = regexp.MustCompile(`// want (.*)$`)

// wanted reads the truth that stands in the sources: by name, "file:line kind" for each call, sorted.
func wanted(t *testing.T) map[string][]string {
	t.Helper()
	truth := make(map[string][]string)
	err := fs.WalkDir(os.DirFS(toolstest.Testdata("zoo")), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := os.Open(filepath.Join(toolstest.Testdata("zoo"), path))
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			match := want.FindStringSubmatch(lines.Text())
			if match == nil {
				continue
			}
			for claim := range strings.SplitSeq(match[1], ", ") {
				name, kinds, _ := strings.Cut(claim, ": ")
				for kind := range strings.SplitSeq(kinds, " + ") {
					truth[name] = append(truth[name], fmt.Sprintf("%s:%d %s", path, n, kind))
				}
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

func findCallers(t *testing.T, in FindCallersInput) *FindCallersOutput {
	t.Helper()
	if in.MaxResults == 0 {
		in.MaxResults = 1000
	}
	out, err := zoo.FindCallers(t.Context(), tools.Call{}, in)
	if err != nil {
		t.Fatalf("find_callers %s: %v", in.Name, err)
	}
	elsewhere := strings.Contains(out.Completeness.Reason, "left out of the build") // zoo_windows.go
	if out.Completeness.State != lsp.Complete && !elsewhere {
		t.Fatalf("find_callers %s: the answer is %+v", in.Name, out.Completeness)
	}
	return out
}

func found(out *FindCallersOutput) []string {
	var lines []string
	for _, s := range out.CallSites {
		lines = append(lines, fmt.Sprintf("%s:%d %s", query.Relative(zoo.Root, s.File), s.Line, s.Kind))
	}
	return lines
}

func TestFindCallers(t *testing.T) {
	truth := wanted(t)
	if len(truth) < 10 {
		t.Fatalf("only %d names have a truth", len(truth))
	}
	for name, calls := range truth {
		got := found(findCallers(t, FindCallersInput{Name: name}))
		slices.Sort(got)
		slices.Sort(calls)
		for _, line := range got {
			if !slices.Contains(calls, line) {
				t.Errorf("%s: %s is none", name, line)
			}
		}
		for _, line := range calls {
			if !slices.Contains(got, line) {
				t.Errorf("%s: %s is missing", name, line)
			}
		}
		if len(got) != len(calls) {
			t.Errorf("%s: %d sites, want %d", name, len(got), len(calls))
		}
	}
}

func TestFindCallersOfNothing(t *testing.T) {
	tests := []struct{ name, want string }{
		{"Fed", "not found: no function or method named Fed in the project; near it: zoo.Feed, farm.Feed, farm.Barn.Feed"},
		{"Feeed", "not found: no function or method named Feeed in the project; near it: zoo.Feed, farm.Feed, farm.Barn.Feed"},
		{"nowhere.Feed", "not found: no function or method named nowhere.Feed in the project; near it: zoo.Feed, farm.Feed, farm.Barn.Feed"},
		{"Xyzzy", "not found: no function or method named Xyzzy in the project, and nothing like it"},
		{"model.Server", "model.Server is a struct, not a function or method"},
		{"kinds.Red", "kinds.Red is a constant, not a function or method"},
	}
	for _, tt := range tests {
		out := findCallers(t, FindCallersInput{Name: tt.name})
		if out.Warning == nil || !strings.HasPrefix(*out.Warning, tt.want) || !strings.HasPrefix(out.Text(), tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, out.Text(), tt.want)
		}
		if out.DefinitionFile != nil || len(out.CallSites) > 0 {
			t.Errorf("%s has a definition or calls: %+v", tt.name, out)
		}
	}
}

func TestAnAmbiguousNameGivesTheCandidatesAlone(t *testing.T) {
	out := findCallers(t, FindCallersInput{Name: "Feed"})
	var names []string
	for _, c := range out.Candidates {
		names = append(names, c.Name)
		if again := findCallers(t, FindCallersInput{Name: c.Name}); again.DefinitionFile == nil || *again.DefinitionFile != c.File {
			t.Errorf("%s does not mean %s", c.Name, c.File)
		}
	}
	if want := []string{"farm.Feed", "Barn.Feed", "zoo.Feed"}; !slices.Equal(names, want) || len(out.CallSites) > 0 {
		t.Errorf("candidates %q and %d calls, want %q and none", names, len(out.CallSites), want)
	}
	if text := out.Text(); !strings.HasPrefix(text, "Feed is ambiguous: it means 3 things; ask for one of the candidates\nfarm/farm.go:5: farm.Feed (function)\n") {
		t.Errorf("text:\n%s", text)
	}
}

// However a symbol is written, it is the same one.
func TestSpellings(t *testing.T) {
	for _, names := range [][]string{
		{"zoo.Feed", "example.test/zoo.Feed"},
		{"farm.Feed", "zoo/farm.Feed", "example.test/zoo/farm.Feed"},
		{"List.Push", "(*List).Push", "zoo.List.Push", "example.test/zoo.List.Push", "(*List[map[K][]V]).Push", " List.Push "},
		{"main.main", "example.test/zoo/cmd/zoo.main", "main"},
	} {
		want := findCallers(t, FindCallersInput{Name: names[0]})
		if want.DefinitionFile == nil {
			t.Fatalf("%s is not found", names[0])
		}
		for _, name := range names[1:] {
			got := findCallers(t, FindCallersInput{Name: name})
			if got.DefinitionFile == nil || *got.DefinitionFile != *want.DefinitionFile || *got.DefinitionLine != *want.DefinitionLine {
				t.Errorf("%s is not %s: %s", name, names[0], got.Text())
			}
		}
	}
}

func TestPromotedMethod(t *testing.T) {
	for name, want := range map[string]string{"Puppy.Sound": "zoo.Dog.Sound", "Loud.Sound": "Animal.Sound", "zoo.Puppy.Name": "zoo.Dog.Name"} {
		promoted, declared := findCallers(t, FindCallersInput{Name: name}), findCallers(t, FindCallersInput{Name: want})
		if promoted.Text() != declared.Text() {
			t.Errorf("%s:\n got %s\nwant %s", name, promoted.Text(), declared.Text())
		}
	}
	if out := findCallers(t, FindCallersInput{Name: "Puppy.Missing"}); out.DefinitionFile != nil {
		t.Errorf("Puppy.Missing is %s", out.Text())
	}
}

func TestFindCallersCountsWhatItLeavesOut(t *testing.T) {
	out := findCallers(t, FindCallersInput{Name: "Animal.Sound", MaxResults: 2})
	if len(out.CallSites) != 2 || !out.Truncated || out.Total != 6 || out.FilteredCount != 8 {
		t.Errorf("%d of %d sites, truncated %v, %d filtered", len(out.CallSites), out.Total, out.Truncated, out.FilteredCount)
	}
	if out.Implementations == nil || *out.Implementations != 3 {
		t.Errorf("implementations: %v", out.Implementations)
	}
	if text := out.Text(); !strings.Contains(text, "… 4 more: raise max_results") || !strings.Contains(text, "3 implementations") {
		t.Errorf("text:\n%s", text)
	}
	dog := findCallers(t, FindCallersInput{Name: "zoo.Dog.Name"})
	if !slices.Equal(dog.Implements, []string{"Animal.Name"}) {
		t.Errorf("zoo.Dog.Name implements %q", dog.Implements)
	}
	length := findCallers(t, FindCallersInput{Name: "List.Len"})
	if !slices.Equal(length.Implements, []string{"sort.Interface.Len"}) {
		t.Errorf("List.Len implements %q", length.Implements)
	}
}

func TestCallSite(t *testing.T) {
	out := findCallers(t, FindCallersInput{Name: "zoo.Feed", ContextLines: 2})
	at := slices.IndexFunc(out.CallSites, func(s CallSite) bool { return strings.Contains(s.Context, "ü") })
	if at < 0 {
		t.Fatal("the call behind ü is missing")
	}
	want := CallSite{
		File: filepath.Join(zoo.Root, "zoo.go"), Line: 29, Column: 24, // ü is two bytes
		Context:       "\t_ = \"ü\" + fmt.Sprint(Feed(2)) // want zoo.Feed: call",
		ContextBefore: []string{"", "func everyWay(run func(func(int) int)) {"},
		ContextAfter:  []string{"\tgo Feed(3)                    // want zoo.Feed: go", "\tdefer Feed(4)                 // want zoo.Feed: defer"},
		Kind:          "call", Enclosing: "everyWay",
	}
	if diff := cmp.Diff(want, out.CallSites[at]); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSortedFunc(out.CallSites, func(a, b CallSite) int {
		return query.CompareSpots(query.Spot{Path: a.File, Line: a.Line, Column: a.Column}, query.Spot{Path: b.File, Line: b.Line, Column: b.Column})
	}) {
		t.Error("the sites are not in order")
	}
	tests := 0
	for _, s := range out.CallSites {
		if s.Test {
			tests++
		}
	}
	if tests != 2 {
		t.Errorf("%d sites in tests, want 2", tests)
	}
}

func TestFindCallersText(t *testing.T) {
	want := `Barn.Feed (farm/farm.go:11): 1 call in 1 file
  28- func Morning(b *Barn) {
farm/farm.go:29: b.Feed()      // want Barn.Feed: call  ← in Morning
  30- Dog{}.Sound() // want farm.Dog.Sound: call`
	got := findCallers(t, FindCallersInput{Name: "Barn.Feed", ContextLines: 1}).Text()
	if got, _, _ = strings.Cut(got, "\n("); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	text := findCallers(t, FindCallersInput{Name: "zoo.Dog.Sound"}).Text()
	for _, want := range []string{"; implements Animal.Sound", "← in listen, interface call through Animal.Sound", "← in listen, value\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if text := findCallers(t, FindCallersInput{Name: "zoo.Feed"}).Text(); !strings.Contains(text, "← in everyWay, value, passed to run") {
		t.Errorf("text:\n%s", text)
	}
}

func TestOutputIsCompactJSONWithAllKeys(t *testing.T) {
	r := tools.NewRegistry()
	if err := r.Discover(zoo); err != nil {
		t.Fatal(err)
	}
	calls := []struct{ tool, arguments, keys string }{
		{"find_callers", `{"name":"Xyzzy"}`, "name definition_file definition_line call_sites filtered_count truncated warning completeness"},
		{"show_fields", `{"type_name":"Xyzzy"}`, "type_name file line is_record fields raw_definition warning completeness"},
		{"show_constructors", `{"type_name":"Xyzzy"}`, "type_name file line constructors is_gadt raw_definition warning completeness"},
	}
	for _, call := range calls {
		result, err := r.Call(t.Context(), tools.Call{Tool: call.tool}, json.RawMessage(call.arguments))
		if err != nil {
			t.Fatal(err)
		}
		var keys map[string]json.RawMessage
		if err := json.Unmarshal(result.JSON, &keys); err != nil {
			t.Fatal(err)
		}
		for key := range strings.FieldsSeq(call.keys) {
			if keys[key] == nil {
				t.Errorf("%s: no %s in %s", call.tool, key, result.JSON)
			}
		}
		if bytes.Contains(result.JSON, []byte("\n")) || result.Text == "" {
			t.Errorf("%s: %s\n%s", call.tool, result.JSON, result.Text)
		}
	}
}
