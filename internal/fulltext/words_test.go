package fulltext

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"The retries hammer the gateway.":   "retri hammer gateway",
		"Réglage, RÉGLAGE, Re\u0301glage":   "reglag reglag reglag",
		"parseHTTPHeader":                   "parsehttphead pars http header",
		"max_retry maxRetry max-retry":      "maxretri max retri maxretri max retri maxretri max retri",
		"pkg/header_parser.go":              "pkg headerparser.go headerpars header parser go",
		"IDs URLs of GitHub's API":          "id url github's? git hub api",
		"http.Client.Do(x)":                 "http.client.do http client",
		"go1.26 v1.26.0 1.26.0-rc1":         "go1.26 1.26 go1 26 v1.26.0 1.26.0 1.26 v1 26 1.26.0rc1 1.26.0 1.26 26 0rc1 rc1",
		"sha256 sum, 42 of 7":               "sha256 sum 42",
		"don't, user's, users’ users":       "user user user",
		"Straße STRASSE ΣΟΦΟΣ σοφος":        "strass strass σοφοσ σοφοσ",
		"全文検索":                              "全文 全 文検 文 検索 検 索",
		"猫":                                 "猫",
		"ガイド ｶﾞｲﾄﾞ":                         "ガイ ガ イド イ ド ガイ ガ イド イ ド",
		"검색어 Go言語":                          "검색 검 색어 색 어 go 言語 言 語",
		"wrote written writes, indices":     "write write write index",
		"a\xffb caf\u00ade":                 "cafe",
		"___ - . '' \u00ad":                 "",
		"ｆｕｌｌ ﬁle":                          "full file",
		"--fork-session=x claude --resume":  "forksess fork session claud resum",
		"retry the tests; testing a tested": "retri test test test",
		"10.0.0.1:8080":                     "10.0.0.1 10.0 10 8080",
	} {
		want = strings.ReplaceAll(want, "github's? git hub", "github git hub")
		if got := strings.Join(Words(text), " "); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestWordsOfLongText(t *testing.T) {
	long := strings.Repeat("QmFzZTY0", 50)
	got := Words(long)
	if len(got) != 1 || got[0] != strings.ToLower(long[:maxWord]) {
		t.Errorf("%q", got)
	}
	name := strings.Repeat("x", 60) + "RetryPolicy"
	got = Words(name)
	if !slices.Equal(got[1:], []string{name[:60], "retri", "polici"}) || len(got[0]) > maxWord {
		t.Errorf("%q", got)
	}
	slug := strings.Repeat("word-", 30) + "retry_policy-" + long
	got = Words(slug)
	if !slices.Equal(got[:30], slices.Repeat([]string{"word"}, 30)) || !slices.Equal(got[30:32], []string{"retri", "polici"}) || len(got) != 33 {
		t.Errorf("%q", got)
	}
}

// Whatever the text: terms are bounded, valid and no single letters, and lie in the text.
func FuzzWords(f *testing.F) {
	for _, seed := range []string{"a.b", "x's", "v1.2.3-rc1", "ＡＢ", "が\u3099", "IDs", "aB_c-d", "全a文", "\xff\u00ad", "İıſ", "ﷺ", "e\u0301E\u0301e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := 0
		newCutter().cut(text, func(w token) {
			if w.start < start || w.end <= w.start || w.end > len(text) {
				t.Fatalf("a term of the bytes %d to %d of %d, behind one at %d", w.start, w.end, len(text), start)
			}
			if len(w.term) == 0 || !utf8.Valid(w.term) || len(w.term) > 20*maxWord {
				t.Fatalf("the term %q", w.term)
			}
		})
		if got, again := strings.Join(Words(text), " "), strings.Join(Words(strings.ToUpper(strings.ToLower(text))), " "); isASCII(text) && len(got) == 0 && len(again) > 0 {
			t.Fatalf("%q has no terms, in upper case it has %s", text, again)
		}
	})
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}
