package diagnostics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/protocol"
)

// problems reads "a.go:3 message" lines, separated by "; ".
func problems(text string) (list []Problem) {
	for line := range strings.SplitSeq(text, "; ") {
		place, message, found := strings.Cut(line, " ")
		if !found {
			continue
		}
		path, number, _ := strings.Cut(place, ":")
		p := Problem{Path: path, Column: 1, Message: message}
		fmt.Sscan(number, &p.Line)
		list = append(list, p)
	}
	return list
}

func TestNewErrors(t *testing.T) {
	tests := []struct{ name, before, now, want string }{
		{"nothing", "", "", ""},
		{"the first", "", "a:1 x", "a:1 x"},
		{"the same", "a:1 x", "a:1 x", ""},
		{"mended", "a:1 x", "", ""},
		{"one mended, one new", "a:1 x", "a:1 y", "a:1 y"},
		{"moved", "a:1 x; a:5 y", "a:3 x; a:7 y", ""},
		{"the same in another file", "a:1 x", "a:1 x; b:1 x", "b:1 x"},
		{"once more", "a:3 x", "a:3 x; a:9 x", "a:9 x"},
		{"once more, above", "a:3 x", "a:1 x; a:3 x", "a:1 x"},
		{"twice there, once left", "a:3 x; a:9 x", "a:5 x", ""},
		{"moved, and another", "a:3 x", "a:5 x; a:5 y", "a:5 y"},
	}
	for _, test := range tests {
		before, now := map[string]Errors{"go": {Problems: problems(test.before)}}, map[string]Errors{"go": {Problems: problems(test.now)}}
		got, more := newErrors(before, now)
		if diff := cmp.Diff(problems(test.want), got); diff != "" || more != 0 {
			t.Errorf("%s: (-want +got)\n%s and %d more", test.name, diff, more)
		}
	}
}

func TestNewErrorsOfWhatIsUnknown(t *testing.T) {
	bad := Errors{Problems: problems("a:1 x")}
	tests := []struct {
		name        string
		before, now map[string]Errors
		list, more  int
	}{
		{"no server before", nil, map[string]Errors{"go": bad}, 0, 0},
		{"no server after", map[string]Errors{"go": {}}, nil, 0, 0},
		{"another server", map[string]Errors{"go": {}}, map[string]Errors{"ts": bad}, 0, 0},
		{"one of two", map[string]Errors{"go": {}}, map[string]Errors{"go": bad, "ts": bad}, 1, 0},
		{"too many before", map[string]Errors{"go": {More: 1}}, map[string]Errors{"go": bad}, 0, 0},
		{"too many after", map[string]Errors{"go": {}}, map[string]Errors{"go": {Problems: bad.Problems, More: 7}}, 1, 7},
	}
	for _, test := range tests {
		if list, more := newErrors(test.before, test.now); len(list) != test.list || more != test.more {
			t.Errorf("%s: %v and %d more", test.name, list, more)
		}
	}
}

func TestRender(t *testing.T) {
	tests := []struct {
		name, list  string
		more, lines int
		want        string
	}{
		{"nothing", "", 0, 10, ""},
		{"one", "/p/a:1 x", 0, 10, "tidepool: 1 error that was not there before:\na:1:1: x"},
		{"edited files first, the rest by place", "/p/b:1 x; /p/a:9 x; /p/a:10 y; /p/z:1 x; /q/c:1 x", 0, 10,
			"tidepool: 5 errors that were not there before:\nz:1:1: x\na:9:1: x\na:10:1: y\nb:1:1: x\n/q/c:1:1: x"},
		{"exactly as many", "/p/a:1 x; /p/a:2 x", 0, 2, "tidepool: 2 errors that were not there before:\na:1:1: x\na:2:1: x"},
		{"too many", "/p/a:1 x; /p/a:2 x; /p/b:3 x; /p/c:1 x", 0, 2,
			"tidepool: 4 errors that were not there before:\na:1:1: x\na:2:1: x\n… and 2 more in 2 files"},
		{"one too many", "/p/a:1 x; /p/a:2 x", 0, 1, "tidepool: 2 errors that were not there before:\na:1:1: x\n… and 1 more in 1 file"},
		{"too many to know", "/p/a:1 x", 1000, 10, "tidepool: 1001 errors that were not there before:\na:1:1: x\n… and 1000 more"},
		{"not printable", "/p/a\x1b[2J:1 x\u202e\x00\xff\ny", 0, 10, "tidepool: 1 error that was not there before:\n" + `a\x1b[2J:1:1: x\u202e\x00` + "\uFFFD" + `\ny`},
	}
	for _, test := range tests {
		if got := render(problems(test.list), test.more, test.lines, "/p", []string{"/p/z"}); got != test.want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, test.want)
		}
	}
}

// Whatever is told fits into a hook's output whole.
func TestRenderIsBounded(t *testing.T) {
	var list []Problem
	for range 1000 {
		list = append(list, Problem{Path: "/p/" + strings.Repeat("ü", 1000), Message: strings.Repeat("\x1b", 1000)})
	}
	text := render(list, 0, 10, "/p", nil)
	if n := strings.Count(text, "\n"); n != 11 || len(text) > protocol.MaxHookText {
		t.Errorf("%d lines, %d bytes", n, len(text))
	}
}
