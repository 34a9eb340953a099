package fulltext

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSnippet(t *testing.T) {
	text := "We looked at the gateway first.\n\nThe retries hammer it, because\tthe cap in gateway/retry.go counts attempts and not seconds; so a jitter was added there."
	for _, test := range []struct {
		terms string
		most  int
		want  string
	}{
		{"jitter", 40, "…seconds; so a jitter was added there."},
		{"retry gateway", 45, "…the gateway first. The retries hammer it,…"},
		{"gateway", 32, "…at the gateway first. The…"},
		{"gateway", 20, "…gateway first. The…"},
		{"walrus", 12, "We looked a…"},
		{"", 300, strings.Join(strings.Fields(text), " ")},
		{"gateway", 1, "…"},
		{"gateway", 0, ""},
	} {
		if got, any := Snippet(text, Words(test.terms), test.most); got != test.want || any != (test.terms != "walrus" && test.terms != "") {
			t.Errorf("%q in %d characters\n got %s\nwant %s", test.terms, test.most, got, test.want)
		}
	}
}

func TestMarks(t *testing.T) {
	text := "parseHeader, parsed headers and the user's retry.go: 全文検索"
	for query, want := range map[string]string{
		"parse":       "parse|parsed",
		"parseHeader": "parseHeader|parsed|headers",
		"users":       "user's",
		"retry":       "retry",
		"retry.go":    "retry.go",
		"文検":          "文検",
		"":            "",
	} {
		var got []string
		for _, span := range Marks(text, Words(query)) {
			got = append(got, text[span[0]:span[1]])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q marks %q, not %q", query, got, want)
		}
	}
}

// A snippet is one line of valid text, within its limit, a part of the whole; and when all occurrences of the words fit, it has all words.
func TestSnippetProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		filler := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("alpha beta größer 検索 delta/epsilon.go ε camelCase")), 0, 60)
		before, after := filler.Draw(t, "before"), filler.Draw(t, "after")
		hit := rapid.SampledFrom(strings.Fields("retry gateway retry.go HeaderParser")).Draw(t, "hit")
		text := strings.Join(slices.Concat(before, []string{hit}, after), rapid.SampledFrom([]string{" ", "\n", "\t "}).Draw(t, "blank"))
		most := rapid.IntRange(1, 200).Draw(t, "most")
		got, any := Snippet(text, Words("zeta "+hit), most)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > most || strings.ContainsAny(got, "\n\t") {
			t.Fatalf("%q of at most %d characters", got, most)
		}
		if whole := strings.Join(strings.Fields(text), " "); !strings.Contains(whole, strings.Trim(got, "…")) {
			t.Fatalf("%q is no part of %q", got, whole)
		}
		if !any || most >= len(hit)+2 && !strings.Contains(got, hit) {
			t.Fatalf("%q has not %s", got, hit)
		}
	})
}

func FuzzSnippet(f *testing.F) {
	f.Add("a retry\xff of İ the gateway", "retry gateway", 10)
	f.Fuzz(func(t *testing.T, text, query string, most int) {
		most %= 100
		terms := Words(query)
		got, _ := Snippet(text, terms, most)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > max(most, 0) {
			t.Fatalf("%q of at most %d characters", got, most)
		}
		end := 0
		for _, span := range Marks(text, terms) {
			if span[0] < end || span[1] <= span[0] || span[1] > len(text) {
				t.Fatalf("a mark at %v behind %d", span, end)
			}
			end = span[1]
		}
	})
}
