package tools

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tidepool/lsp"
)

var want = regexp.MustCompile(`// want (.*)$`)

// wanted reads the truth that stands in the sources: by name, "file:line kind" for each call, sorted.
func wanted(t *testing.T) map[string][]string {
	t.Helper()
	truth := make(map[string][]string)
	err := fs.WalkDir(os.DirFS("testdata/zoo"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := os.Open(filepath.Join("testdata/zoo", path))
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
	out, err := zoo.FindCallers(t.Context(), in)
	if err != nil {
		t.Fatalf("find_callers %s: %v", in.Name, err)
	}
	elsewhere := strings.Contains(out.Completeness.Reason, "zoo_windows.go") // not built here
	if out.Completeness.State != lsp.Complete && !elsewhere {
		t.Fatalf("find_callers %s: the answer is %+v", in.Name, out.Completeness)
	}
	return out
}

func found(out *FindCallersOutput) []string {
	var lines []string
	for _, s := range out.CallSites {
		lines = append(lines, fmt.Sprintf("%s:%d %s", relative(zoo.Root, s.File), s.Line, s.Kind))
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
