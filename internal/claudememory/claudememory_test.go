package claudememory

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// A home is a user's directory with a project.
type home struct {
	t    testing.TB
	dir  string
	shop string
}

func newHome(t testing.TB) home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := home{t, dir, filepath.Join(dir, "src", "shop")}
	h.mkdir("src/shop/api")
	return h
}

func (h home) mkdir(name string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Join(h.dir, name), 0o755); err != nil {
		h.t.Fatal(err)
	}
}

// write writes files: pairs of a name below the home and a text.
func (h home) write(pairs ...string) {
	h.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		h.mkdir(filepath.Dir(pairs[i]))
		if err := os.WriteFile(filepath.Join(h.dir, pairs[i]), []byte(pairs[i+1]), 0o644); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h home) options() Options {
	return Options{Home: h.dir, Managed: filepath.Join(h.dir, "etc")}
}

// slug is the name of a directory below projects.
func (h home) slug(dir string) string { return slugOf(dir) }

// names returns the files that are found, relative to the home.
func (h home) names(o Options, dir string) (names []string, skipped []Skipped) {
	files, skipped := New(o).List(dir)
	for _, f := range files {
		rel, err := filepath.Rel(h.dir, f.Path)
		if err != nil {
			h.t.Fatal(err)
		}
		names = append(names, string(f.Kind)+" "+rel)
	}
	return names, skipped
}

func TestFilesOfASession(t *testing.T) {
	h := newHome(t)
	memory := ".claude/projects/" + h.slug(h.shop) + "/memory/"
	h.write("etc/CLAUDE.md", "x", ".claude/CLAUDE.md", "x", ".claude/rules/go.md", "x", ".claude/rules/deep/er.md", "x", ".claude/settings.json", "{}",
		"src/CLAUDE.md", "x", "src/shop/CLAUDE.md", "x", "src/shop/CLAUDE.local.md", "x", "src/shop/.claude/CLAUDE.md", "x", "src/shop/.claude/rules/web.md", "x",
		"src/shop/.claude/rules/run.sh", "x", "src/shop/api/CLAUDE.md", "x", memory+"MEMORY.md", "x", memory+"debugging.md", "x", memory+"notes.txt", "x",
		".claude/projects/-other/memory/MEMORY.md", "x")
	names, skipped := h.names(h.options(), h.shop)
	want := []string{
		"managed etc/CLAUDE.md", "user .claude/CLAUDE.md", "user .claude/rules/deep/er.md", "user .claude/rules/go.md", "project src/CLAUDE.md",
		"project src/shop/CLAUDE.md", "project src/shop/.claude/CLAUDE.md", "project src/shop/.claude/rules/web.md", "local src/shop/CLAUDE.local.md",
		"auto " + memory + "MEMORY.md", "topic " + memory + "debugging.md",
	}
	if !slices.Equal(names, want) || len(skipped) != 0 {
		t.Errorf("got %q, skipped %v", names, skipped)
	}
	h.write("config/CLAUDE.md", "x")
	o := h.options()
	o.ConfigDir = filepath.Join(h.dir, "config")
	if names, _ := h.names(o, h.shop); !slices.Contains(names, "user config/CLAUDE.md") || slices.Contains(names, "user .claude/CLAUDE.md") {
		t.Errorf("with CLAUDE_CONFIG_DIR: %q", names)
	}
}

func TestWorktreesShareTheMemoryDirectory(t *testing.T) {
	h := newHome(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", h.shop, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("commit", "-q", "--allow-empty", "-m", "x")
	other := filepath.Join(h.dir, "elsewhere")
	git("worktree", "add", "-q", other)
	memory := ".claude/projects/" + h.slug(h.shop) + "/memory/MEMORY.md"
	h.write(memory, "x")
	for _, dir := range []string{h.shop, filepath.Join(h.shop, "api"), other} {
		if names, _ := h.names(h.options(), dir); !slices.Contains(names, "auto "+memory) {
			t.Errorf("%s: %q", dir, names)
		}
	}
}

func TestAutoMemoryDirectory(t *testing.T) {
	for name, test := range map[string]struct {
		file, setting string
		trusted, want bool
	}{
		"the user's":                        {".claude/settings.json", "~/notes", false, true},
		"absolute":                          {".claude/settings.json", "HOME/notes", false, true},
		"relative, which Claude Code drops": {".claude/settings.json", "notes", false, false},
		"the administrator's":               {"etc/managed-settings.json", "~/notes", false, true},
		"a clone's":                         {"src/shop/.claude/settings.json", "~/notes", false, false},
		"a trusted project's":               {"src/shop/.claude/settings.json", "~/notes", true, true},
		"a trusted project's own":           {"src/shop/.claude/settings.local.json", "~/notes", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			h.mkdir("src/shop/.git")
			h.write("notes/MEMORY.md", "x", test.file, fmt.Sprintf(`{"autoMemoryDirectory":%q}`, strings.ReplaceAll(test.setting, "HOME", h.dir)))
			o := h.options()
			o.Trusted = test.trusted
			names, _ := h.names(o, filepath.Join(h.shop, "api"))
			if got := slices.Contains(names, "auto notes/MEMORY.md"); got != test.want {
				t.Errorf("found %q", names)
			}
		})
	}
}

func TestHostileFilesAreNamedAndNotRead(t *testing.T) {
	h := newHome(t)
	h.write("secret.md", "the password is hunter2", "secrets/rules/a.md", "hunter2", "src/CLAUDE.md", strings.Repeat("x", maxFile+1))
	link := func(from, to string) {
		t.Helper()
		h.mkdir(filepath.Dir(to))
		if err := os.Symlink(filepath.Join(h.dir, from), filepath.Join(h.dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	link("secret.md", "src/shop/CLAUDE.md")
	link("secrets", "src/shop/.claude")
	memory := ".claude/projects/" + h.slug(h.shop) + "/memory"
	link("secret.md", memory+"/MEMORY.md")
	link("secrets", memory+"/topics")
	if err := syscall.Mkfifo(filepath.Join(h.dir, memory, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := New(h.options()).Search(t.Context(), Query{Text: "password hunter2 xxx", Dir: h.shop, Limit: 10})
	if err != nil || found.Files != 0 || len(found.Hits) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
	var why []string
	for _, s := range found.Skipped {
		why = append(why, filepath.Base(s.Path)+": "+s.Why)
	}
	want := []string{"CLAUDE.md: it is larger than 256 KB", "CLAUDE.md: it is a link", ".claude: it is a link", "MEMORY.md: it is a link", "pipe.md: it is no regular file", "topics: it is a link"}
	if !slices.Equal(why, want) {
		t.Errorf("skipped %q", why)
	}
}

func TestLimitsAreNamed(t *testing.T) {
	h := newHome(t)
	memory := ".claude/projects/" + h.slug(h.shop) + "/memory/"
	for i := range maxFiles + maxNamed + 5 {
		h.write(fmt.Sprintf("%s%04d.md", memory, i), "harbor")
	}
	found, err := New(h.options()).Search(t.Context(), Query{Text: "harbor", Dir: h.shop, Limit: 3})
	if err != nil || found.Files != maxFiles || len(found.Hits) != 3 || found.Matches != maxFiles || len(found.Skipped) != maxNamed || found.More != 5 {
		t.Errorf("%d files, %d hits of %d, %d skipped and %d more, %v", found.Files, len(found.Hits), found.Matches, len(found.Skipped), found.More, err)
	}
}

func TestSearch(t *testing.T) {
	h := newHome(t)
	h.write("src/shop/CLAUDE.md", "# Rules\n\nUse pnpm in web.\n\n## Tests\n\nRun the integration tests with make integration.\nThey need Redis.\n",
		".claude/projects/"+h.slug(h.shop)+"/memory/debugging.md", "Flaky tests of the relay come from the clock.\n")
	f := New(h.options())
	found, err := f.Search(t.Context(), Query{Text: "what do integration tests need, redis?", Dir: h.shop, Limit: 5})
	if err != nil || len(found.Hits) != 2 || found.Matches != 2 || found.Files != 2 {
		t.Fatalf("%+v, %v", found, err)
	}
	first := found.Hits[0]
	if filepath.Base(first.Path) != "CLAUDE.md" || first.First != 5 || first.Last != 8 || first.Heading != "Tests" || !strings.Contains(first.Snippet, "Redis") {
		t.Errorf("%+v", first)
	}
	other, err := f.Search(t.Context(), Query{Text: "tests", Project: "src/shop", Dir: "/nowhere", Limit: 5})
	if err != nil || len(other.Hits) != 1 || filepath.Base(other.Hits[0].Path) != "debugging.md" {
		t.Errorf("%+v, %v", other, err)
	}
	if none, err := f.Search(t.Context(), Query{Text: "tests", Project: "...", Dir: h.shop, Limit: 5}); err != nil || none.Files != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}

// TestPassagesAreTheFile whatever it says: they are in order, do not overlap, and have all words.
func TestPassagesAreTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "# one", "## two", "word", "```", "#no heading", "  ", strings.Repeat("long ", 200), "a\rb", "世界"})
		lines := rapid.SliceOfN(line, 0, 120).Draw(t, "lines")
		text := strings.Join(lines, "\n")
		at := 1
		for _, p := range passages(File{Path: "/x.md", Text: text}) {
			if p.First < at || p.Last < p.First || p.Last > len(lines) {
				t.Fatalf("lines %d to %d after %d of %d", p.First, p.Last, at-1, len(lines))
			}
			for _, left := range lines[at-1 : p.First-1] {
				if !isHeading(left) && strings.TrimSpace(left) != "" {
					t.Fatalf("%q is in no passage", left)
				}
			}
			if got := strings.Join(lines[p.First-1:p.Last], "\n"); got != p.Text {
				t.Fatalf("lines %d to %d are %q, the passage %q", p.First, p.Last, got, p.Text)
			}
			if p.Last-p.First >= maxLines || len(p.Text) > maxPassage && p.Last > p.First {
				t.Fatalf("%d lines, %d bytes", p.Last-p.First+1, len(p.Text))
			}
			at = p.Last + 1
		}
		for _, left := range lines[at-1:] {
			if !isHeading(left) && strings.TrimSpace(left) != "" {
				t.Fatalf("%q is in no passage", left)
			}
		}
	})
}

func TestLongSlug(t *testing.T) {
	h := newHome(t)
	deep := filepath.Join(h.dir, strings.Repeat("d", 120), strings.Repeat("e", 120))
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	memory := ".claude/projects/" + h.slug(deep)[:maxSlug] + "-1x2y3z/memory/MEMORY.md"
	h.write(memory, "x")
	if names, _ := h.names(h.options(), deep); !slices.Contains(names, "auto "+memory) {
		t.Errorf("found %q", names)
	}
}
