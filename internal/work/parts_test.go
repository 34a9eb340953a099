package work

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseRemote(t *testing.T) {
	for url, want := range map[string]string{
		"https://github.com/acme/demo.git":           "acme/demo",
		"https://user:token@github.com/acme/demo":    "acme/demo",
		"git@github.com:acme/demo.git":               "acme/demo",
		"ssh://git@ssh.github.com:443/acme/demo.git": "acme/demo",
		"git@git.example.org:acme/demo.git":          "git.example.org/acme/demo",
		"/srv/git/demo.git":                          "",
		"../demo":                                    "",
		"file:///srv/git/acme/demo":                  "",
		"https://github.com/":                        "",
		"":                                           "",
	} {
		if got := parseRemote(url).String(); got != want {
			t.Errorf("%q is %q, want %q", url, got, want)
		}
	}
}

func TestIssueOf(t *testing.T) {
	w := New(Options{Dir: "/"})
	for branch, want := range map[string]string{
		"bd-a3f8/fix-login":      "a3f8",
		"bd-demo-a3f8.1/fix":     "demo-a3f8.1",
		"bd-a3f8/":               "",
		"bd-a3f8":                "",
		"main":                   "",
		"feature/bd-a3f8/nested": "",
		"":                       "",
	} {
		if got := w.IssueOf(branch); got != want {
			t.Errorf("%q is about %q, want %q", branch, got, want)
		}
	}
}

func TestParsePorcelain(t *testing.T) {
	b, files, err := parsePorcelain(strings.Join([]string{
		"# branch.oid 1234", "# branch.head main", "# branch.upstream origin/main", "# branch.ab +2 -3",
		"1 .M N... 100644 100644 100644 aaaa bbbb with  blanks and \"quotes\"",
		"2 R. N... 100644 100644 100644 aaaa bbbb R90 new", "old",
		"u UU N... 100644 100644 100644 100644 aaaa bbbb cccc torn", "? new\nline", "! ignored",
	}, "\x00") + "\x00")
	if err != nil || b != (Branch{Name: "main", Commit: "1234", Upstream: "origin/main", Ahead: 2, Behind: 3}) {
		t.Errorf("%+v, %v", b, err)
	}
	want := []DirtyFile{{"with  blanks and \"quotes\"", ".M", ""}, {"new", "R.", "old"}, {"torn", "UU", ""}, {"new\nline", "??", ""}}
	if len(files) != len(want) {
		t.Fatalf("%+v", files)
	}
	for i, f := range files {
		if f != want[i] {
			t.Errorf("%+v, want %+v", f, want[i])
		}
	}
	if b, _, _ := parsePorcelain("# branch.head main\x00# branch.upstream origin/main\x00"); !b.Gone {
		t.Error("an upstream without counts is gone")
	}
}

// TestPorcelainNeverPanics feeds it pieces of what it may read.
func TestPorcelainNeverPanics(t *testing.T) {
	piece := rapid.SampledFrom([]string{"# branch.ab", "# branch.ab +1", "1 .M", "2 R. N... 1 2 3 a b R9 new", "u", "?", "? a", "", "! x", "x"})
	rapid.Check(t, func(t *rapid.T) {
		_, files, err := parsePorcelain(strings.Join(rapid.SliceOf(piece).Draw(t, "entries"), "\x00"))
		for _, f := range files {
			if err == nil && f.Path == "" {
				t.Fatalf("a file without a name: %+v", f)
			}
		}
	})
}

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Fix the login":             "fix-the-login",
		"Re-use  (really)":          "re-use-really",
		"Ü-Umlaute":                 "ü-umlaute",
		"../../etc":                 "etc",
		"!!!":                       "untitled",
		strings.Repeat("word ", 40): "word-word-word-word-word-word-word-word-word",
	} {
		if got := slugOf(title); got != want {
			t.Errorf("%q is %q, want %q", title, got, want)
		}
	}
}
