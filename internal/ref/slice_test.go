package ref

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tidepool/internal/wording"
)

const five = "one\ntwo\nthree\nfour\nfive\n"

func TestCut(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		r    Request
		want Slice
	}{
		"beginning":        {five, Request{}, Slice{Text: "1: one\n2: two\n3: three\n4: four\n5: five\n", First: 1, Last: 5, Lines: 5, Shown: 5}},
		"lines":            {five, Request{Lines: "2-3"}, Slice{Text: "2: two\n3: three\n", First: 2, Last: 3, Lines: 5, Shown: 2}},
		"to the end":       {five, Request{Lines: "4-"}, Slice{Text: "4: four\n5: five\n", First: 4, Last: 5, Lines: 5, Shown: 2}},
		"one line":         {five, Request{Lines: " 4 "}, Slice{Text: "4: four\n", First: 4, Last: 4, Lines: 5, Shown: 1}},
		"beyond":           {five, Request{Lines: "6-9"}, Slice{Lines: 5}},
		"head":             {five, Request{Head: 1}, Slice{Text: "1: one\n", First: 1, Last: 1, Lines: 5, Shown: 1}},
		"tail":             {five, Request{Tail: 2}, Slice{Text: "4: four\n5: five\n", First: 4, Last: 5, Lines: 5, Shown: 2}},
		"no line feed":     {"a\n\nb", Request{Tail: 3}, Slice{Text: "1: a\n2: \n3: b\n", First: 1, Last: 3, Lines: 3, Shown: 3}},
		"grep":             {five, Request{Grep: "^t"}, Slice{Text: "2: two\n3: three\n", First: 2, Last: 3, Lines: 5, Shown: 2, Matches: 2}},
		"context":          {five, Request{Grep: "one|five", Context: 1}, Slice{Text: "1: one\n2- two\n--\n4- four\n5: five\n", First: 1, Last: 5, Lines: 5, Shown: 4, Matches: 2}},
		"no match":         {five, Request{Grep: "six"}, Slice{Lines: 5}},
		"empty":            {"", Request{}, Slice{}},
		"empty tail":       {"", Request{Tail: 3}, Slice{}},
		"colours":          {"a\x1b[1;31mFAIL\x1b[0m\x1b[2J\n", Request{Grep: "aFAIL"}, Slice{Text: "1: aFAIL␛[2J\n", First: 1, Last: 1, Lines: 1, Shown: 1, Matches: 1}},
		"invalid UTF-8":    {"a\xff\tb\r\n", Request{}, Slice{Text: "1: a\uFFFD\tb\n", First: 1, Last: 1, Lines: 1, Shown: 1}},
		"long line":        {strings.Repeat("ü", 2500), Request{}, Slice{Text: "1: " + strings.Repeat("ü", 2000) + " [500 characters more]\n", First: 1, Last: 1, Lines: 1, Shown: 1, Clipped: 1}},
		"in a long line":   {strings.Repeat("x", 5000) + "FAIL", Request{Grep: "FAIL"}, Slice{Text: "1: [4800 characters before] " + strings.Repeat("x", 200) + "FAIL\n", First: 1, Last: 1, Lines: 1, Shown: 1, Matches: 1, Clipped: 1}},
		"many line feeds":  {strings.Repeat("\n", 100_000), Request{Tail: 1}, Slice{Text: "100000: \n", First: 100_000, Last: 100_000, Lines: 100_000, Shown: 1}},
		"more than head":   {five, Request{Head: 99}, Slice{Text: "1: one\n2: two\n3: three\n4: four\n5: five\n", First: 1, Last: 5, Lines: 5, Shown: 5}},
		"tail out of many": {strings.Repeat(strings.Repeat("x", 1993)+"\n", 9), Request{Tail: 6}, Slice{Lines: 9, First: 6, Last: 9, Shown: 4, Left: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Cut(test.text, test.r)
			if test.want.Left > 0 { // its text is long
				got.Text = ""
			}
			if err != nil || got != test.want {
				t.Errorf("%v\n%+v\n%+v", err, got, test.want)
			}
		})
	}
}

func TestBadRequests(t *testing.T) {
	for want, r := range map[string]Request{
		"exclude each other": {Head: 1, Tail: 1}, `"10-4" are no lines`: {Lines: "10-4"}, `"0" are no lines`: {Lines: "0"}, `"-" are no lines`: {Lines: "-"},
		`"x␛[2J" are no lines`: {Lines: "x\x1b[2J"}, `"99999999999999999999" are no lines`: {Lines: "99999999999999999999"}, "out of range": {Head: -1},
		"context without grep": {Context: 1}, "out of range.": {Grep: "x", Context: 21}, "missing closing )": {Grep: "("}, "has 1001 bytes": {Grep: strings.Repeat("x", 1001)},
		"invalid repeat count": {Grep: "a{9999}"},
	} {
		_, err := Cut(five, r)
		if err == nil || !strings.Contains(err.Error()+".", want) || wording.HintOf(err) == "" || len(err.Error()) > 300 {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// A slice shows lines of the text, as many as fit, and counts what it leaves out.
func TestSliceIsPartOfItsText(t *testing.T) {
	line := rapid.OneOf(rapid.StringMatching(`[a-c ]{0,12}`), rapid.String(), rapid.Map(rapid.IntRange(0, 4000), func(n int) string { return strings.Repeat("é", n) }))
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(line, 0, 40).Draw(t, "lines")
		for i := range all {
			all[i] = strings.Map(func(r rune) rune {
				if r == '\n' {
					return '.'
				}
				return r
			}, all[i])
		}
		text := strings.Join(all, "\n")
		if len(all) > 0 {
			text += "\n"
		}
		r := rapid.SampledFrom([]Request{{}, {Head: 3}, {Tail: 7}, {Lines: "2-30"}, {Grep: "a"}, {Grep: "a", Context: 2}, {Grep: "é$"}}).Draw(t, "request")
		got, err := Cut(text, r)
		if err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCountInString(got.Text); n > MaxText || !utf8.ValidString(got.Text) || got.Lines != len(all) {
			t.Fatalf("%d characters, %d lines of %d", n, got.Lines, len(all))
		}
		if got.Shown+got.Left != wanted(all, r) && r.Context == 0 {
			t.Fatalf("%d shown and %d left of %d: %+v", got.Shown, got.Left, wanted(all, r), r)
		}
		for shown := range strings.Lines(got.Text) {
			var number int
			if _, err := fmt.Sscanf(shown, "%d", &number); shown != "--\n" && (err != nil || number < 1 || number > len(all)) {
				t.Fatalf("shows %q", shown)
			}
		}
	})
}

// wanted counts the lines that a request names, as its definition says.
func wanted(all []string, r Request) (n int) {
	for i, line := range all {
		switch {
		case r.Head > 0 && i >= r.Head, r.Tail > 0 && i < len(all)-r.Tail, r.Lines != "" && (i < 1 || i > 29):
		case r.Grep != "" && !regexp.MustCompile(r.Grep).MatchString(strings.TrimRight(line, "\r")):
		default:
			n++
		}
	}
	return n
}

func FuzzCut(f *testing.F) {
	f.Add("a\x1b[31mb\n\xff", "b", 1)
	f.Add("\x1b[", ".", 3)
	f.Fuzz(func(t *testing.T, text, grep string, n int) {
		for _, r := range []Request{{Head: n}, {Tail: n}, {Grep: grep, Context: 1}, {Lines: grep}} {
			got, err := Cut(text, r)
			if err == nil && (utf8.RuneCountInString(got.Text) > MaxText || !utf8.ValidString(got.Text) || got.Left < 0) {
				t.Errorf("%+v: %+v", r, got)
			}
		}
	})
}
