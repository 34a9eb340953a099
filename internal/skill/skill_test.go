package skill

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"tidepool/internal/wording"
)

// A fixture is a project and a home directory.
type fixture struct {
	testing.TB
	project, home string
	store         *Store
}

func newFixture(t testing.TB) fixture {
	f := fixture{TB: t, project: t.TempDir(), home: t.TempDir()}
	f.store = New(Options{Project: f.project, Home: f.home})
	return f
}

func (f fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// write writes a file of the project.
func (f fixture) write(path, text string) {
	f.Helper()
	path = filepath.Join(f.project, path)
	f.must(os.MkdirAll(filepath.Dir(path), 0o755))
	f.must(os.WriteFile(path, []byte(text), 0o644))
}

func (f fixture) read(path string) string {
	f.Helper()
	text, err := os.ReadFile(filepath.Join(f.project, path))
	f.must(err)
	return string(text)
}

// list returns the documents of a kind by name, and the reasons of those that are skipped.
func (f fixture) list(kind Kind) (map[string]Document, string) {
	f.Helper()
	l, err := f.store.List(kind, Project, User)
	f.must(err)
	all := map[string]Document{}
	for _, d := range l.Documents {
		all[string(d.Scope)+" "+d.Name] = d
	}
	var skipped []string
	for _, s := range l.Skipped {
		skipped = append(skipped, s.Path+": "+s.Why)
	}
	return all, strings.Join(skipped, "\n")
}

const review = "---\nname: Review\ndescription: Reviews SQL\nallowed-tools: Read, Grep\n---\n\nLook at it.\n"

func TestList(t *testing.T) {
	f := newFixture(t)
	if all, skipped := f.list(Skill); len(all) != 0 || skipped != "" {
		t.Errorf("%v %s", all, skipped)
	}
	f.write(".claude/skills/review/SKILL.md", review)
	f.write(".claude/skills/README.md", "no skill")
	f.write(".claude/skills/empty/notes.md", "no skill")
	f.write(".claude/agents/sub.md", "---\nname: sql-reviewer\ndescription: Reviews\nskills: [review, other]\n---\nYou review.\n")
	f.write(".claude/agents/notes.txt", "no agent")
	f.must(os.MkdirAll(f.home+"/.claude/skills/mine", 0o755))
	f.must(os.WriteFile(f.home+"/.claude/skills/mine/SKILL.md", []byte("No frontmatter.\n"), 0o644))
	skills, skipped := f.list(Skill)
	d := skills["project review"]
	if len(skills) != 2 || skipped != "" || d.Path != ".claude/skills/review/SKILL.md" || d.Front.Text("description") != "Reviews SQL" ||
		!slices.Equal(d.Front.List("allowed-tools"), []string{"Read", "Grep"}) || d.Body != "Look at it.\n" || len(d.Problems) != 0 {
		t.Errorf("%+v %s", skills, skipped)
	}
	if mine := skills["user mine"]; len(mine.Problems) != 2 || mine.Body != "No frontmatter.\n" {
		t.Errorf("%+v", mine)
	}
	agents, _ := f.list(Agent)
	if a := agents["project sql-reviewer"]; len(agents) != 1 || a.Path != ".claude/agents/sub.md" || !slices.Equal(a.Front.List("skills"), []string{"review", "other"}) {
		t.Errorf("%+v", agents)
	}
	f.store = New(Options{Project: f.project, Home: f.home, ConfigDir: f.home + "/config"})
	f.must(os.MkdirAll(f.home+"/config/agents", 0o755))
	f.must(os.WriteFile(f.home+"/config/agents/a.md", []byte("---\nname: a\ndescription: A\n---\nA\n"), 0o644))
	if agents, _ := f.list(Agent); agents["user a"].Name != "a" {
		t.Errorf("with CLAUDE_CONFIG_DIR: %+v", agents)
	}
}

// TestForeignFilesAreSkipped: links, pipes, directories, files that are too large, and those of another user are named and not read.
func TestForeignFilesAreSkipped(t *testing.T) {
	f := newFixture(t)
	f.write("secret/SKILL.md", "hunter2")
	f.write(".claude/skills/good/SKILL.md", review)
	f.write(".claude/skills/large/SKILL.md", strings.Repeat("x", MaxFile+1))
	f.must(os.Symlink("../../secret", f.project+"/.claude/skills/link"))
	for _, dir := range []string{"pipe", "file", "dir", "foreign"} {
		f.must(os.Mkdir(f.project+"/.claude/skills/"+dir, 0o755))
	}
	f.must(syscall.Mkfifo(f.project+"/.claude/skills/pipe/SKILL.md", 0o644))
	f.must(os.Symlink(f.project+"/secret/SKILL.md", f.project+"/.claude/skills/file/SKILL.md"))
	f.must(os.Mkdir(f.project+"/.claude/skills/dir/SKILL.md", 0o755))
	f.write(".claude/skills/foreign/SKILL.md", review)
	want := []string{"link is not used: it is a link", "pipe/SKILL.md: it is no regular file", "file/SKILL.md: it is a link", "dir/SKILL.md: it is a directory", "large/SKILL.md: it is larger"}
	if os.Geteuid() == 0 { // only root can give a file away
		f.must(os.Chown(f.project+"/.claude/skills/foreign/SKILL.md", 12345, 12345))
		want = append(want, "foreign/SKILL.md: it belongs to another user")
	}
	all, skipped := f.list(Skill)
	if _, good := all["project good"]; !good || strings.Count(skipped, "\n")+1 != len(want) {
		t.Errorf("%v\n%s", all, skipped)
	}
	for _, why := range want {
		if !strings.Contains(skipped, why) {
			t.Errorf("%q is not in\n%s", why, skipped)
		}
	}
	f.must(os.RemoveAll(f.project + "/.claude"))
	f.must(os.Symlink("elsewhere", f.project+"/.claude"))
	if all, skipped := f.list(Skill); len(all) != 0 || !strings.Contains(skipped, "it is a link") {
		t.Errorf("%v\n%s", all, skipped)
	}
	if err := f.store.Create(Skill, Project, "new", review); err == nil {
		t.Error("a skill is written through a link")
	}
}

// TestProblems: what Claude Code ignores or does not load is told.
func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"---\ndescription: x\n---\nx": "it has no name", "---\nname: x\n---\nx": "no description", "---\nname: -x\ndescription: x\n---\nx": "begins with a hyphen",
		"---\nname: a:b\ndescription: x\n---\nx": "colon", "---\nname: x\ndescription: [x\n---\nx": "is ignored", "---\nname: x\nname: y\ndescription: x\n---\nx": "ignored",
		"---\nname: x\ndescription: x\npermissionMode: all\n---\nx": "permissionMode", "---\nname: x\ndescription: x\nmaxTurns: -1\n---\nx": "maxTurns", "---\n- x\n---\nx": "no table",
		"---\nname: x\ndescription: x\neffort: much\n---\nx": "effort", "---\nname: x\ndescription: x\nmodel: a b\n---\nx": "model", "---\nname: x\ndescription: x\nmemory: all\n---\nx": "memory",
		"---\nname: x": "no frontmatter", "name: x": "no frontmatter", "---\nname: x\u202e\ndescription: x\n---\nx": "hidden", "---\nname: x\ndescription: |\n  a --- b\n---\nx": "",
		"\ufeff---\nname: x\ndescription: x\neffort: 3\nmodel: claude-opus-5-5[1m]\n---\nx": "", "---  \nname: x\ndescription: x\npermissionMode: acceptEdits\n---\nx": "",
	} {
		d := Parse(Agent, "x", text)
		if got := strings.Join(d.Problems, "; "); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if d := Parse(Skill, "synced", review); len(d.Problems) != 1 {
		t.Errorf("%q", d.Problems)
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "../x", "a/b", ".", "..", "A", "a b", "-a", "a-", "a--b", "a.md", "ä", "a\x00", strings.Repeat("a", 65), "synced"} {
		f := newFixture(t)
		if err := f.store.Create(Skill, Project, name, review); err == nil || wording.HintOf(err) == "" {
			t.Errorf("%q: %v", name, err)
		}
		if entries, _ := os.ReadDir(f.project); len(entries) != 0 {
			t.Errorf("%q: %v", name, entries)
		}
	}
}

func TestChange(t *testing.T) {
	f := newFixture(t)
	f.must(f.store.Create(Skill, Project, "review", review))
	path := ".claude/skills/review/SKILL.md"
	if f.read(path) != review {
		t.Errorf("%q", f.read(path))
	}
	if err := f.store.Create(Skill, Project, "review", "other"); err == nil || f.read(path) != review {
		t.Errorf("%v", err)
	}
	f.must(os.Chmod(f.project+"/"+path, 0o640))
	all, _ := f.list(Skill)
	old := all["project review"]
	f.must(f.store.Replace(old, review+"More.\n"))
	if info, err := os.Stat(f.project + "/" + path); err != nil || info.Mode().Perm() != 0o640 || f.read(path) != review+"More.\n" {
		t.Errorf("%v %v", info, err)
	}
	if err := f.store.Replace(old, "x"); err == nil || f.read(path) != review+"More.\n" { // it has changed since
		t.Errorf("%v", err)
	}
	if _, err := f.store.Remove(old); err == nil {
		t.Error("a file that has changed is removed")
	}
	f.write(".claude/skills/review/run.sh", "x")
	all, _ = f.list(Skill)
	if rest, err := f.store.Remove(all["project review"]); err != nil || rest != 1 {
		t.Errorf("%d %v", rest, err)
	}
	f.must(f.store.Create(Agent, User, "sub", "---\nname: sub\ndescription: x\n---\nx\n"))
	all, _ = f.list(Agent)
	if rest, err := f.store.Remove(all["user sub"]); err != nil || rest != 0 {
		t.Errorf("%d %v", rest, err)
	}
	for _, dir := range []string{f.project + "/.claude/skills/review", f.home + "/.claude/agents"} {
		entries, err := os.ReadDir(dir)
		if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != "run.sh" }) {
			t.Errorf("%v %v", entries, err)
		}
	}
}

// TestWritersAtOnce: one of many makes a document, and one of many changes it.
func TestWritersAtOnce(t *testing.T) {
	f := newFixture(t)
	count := func(do func(s *Store, n int) error) (won int) {
		var all sync.WaitGroup
		errs := make([]error, 20)
		for n := range errs {
			all.Go(func() { errs[n] = do(New(f.store.options), n) })
		}
		all.Wait()
		for _, err := range errs {
			if _, is := errors.AsType[*Error](err); err == nil {
				won++
			} else if !is {
				t.Error(err)
			}
		}
		return won
	}
	if won := count(func(s *Store, n int) error { return s.Create(Skill, Project, "review", review+strings.Repeat("x", n)) }); won != 1 {
		t.Errorf("%d made it", won)
	}
	all, _ := f.list(Skill)
	d := all["project review"]
	if won := count(func(_ *Store, n int) error { return f.store.Replace(d, review+strings.Repeat("y", n+1)) }); won != 1 {
		t.Errorf("%d changed it", won)
	}
}

// TestComposeReadsBack: what is written is what Claude Code reads, or it is refused.
func TestComposeReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z#:'"\[\]{}\-,&*!|> %@\n]{1,40}`)
		description, body := strings.TrimSpace(text.Draw(t, "description")), strings.TrimSpace(text.Draw(t, "body"))
		var front Frontmatter
		front.Set("name", "x")
		front.Set("description", description)
		front.SetList("skills", []string{text.Draw(t, "skill")})
		composed, err := front.Compose(body)
		if err != nil {
			if !strings.Contains(description, "---") && !strings.Contains(front.List("skills")[0], "---") {
				t.Fatalf("%v", err)
			}
			return
		}
		d := Parse(Agent, "x", composed)
		if d.Front.Text("description") != description || strings.TrimSpace(d.Body) != body || d.Front.List("skills")[0] != front.List("skills")[0] {
			t.Fatalf("%q is read as %q and %q", composed, d.Front.Text("description"), d.Body)
		}
	})
}

// TestSetKeepsTheRest: other fields and comments stay where they are.
func TestSetKeepsTheRest(t *testing.T) {
	d := Parse(Skill, "x", "---\n# mine\nname: x\ndescription: old\nallowed-tools: Bash(git *) # careful\nhooks:\n  Stop: []\n---\n\nText.\n")
	d.Front.Set("description", "new: one")
	d.Front.Set("when_to_use", "often")
	got, err := d.Front.Compose(d.Body)
	if want := "---\n# mine\nname: x\ndescription: 'new: one'\nallowed-tools: Bash(git *) # careful\nhooks:\n  Stop: []\nwhen_to_use: often\n---\n\nText.\n"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(review)
	f.Add("---\n&a [*a]\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		d := Parse(Agent, "x", text)
		if _, err := d.Front.Compose(d.Body); err == nil && d.Check() == nil && !strings.Contains(text, d.Name) {
			t.Errorf("%q has the name %q", text, d.Name)
		}
	})
}

// TestBackup: the newest files are kept, below the state directory whatever the name is.
func TestBackup(t *testing.T) {
	f := newFixture(t)
	last := ""
	for n := range maxBackups + 5 {
		path, err := Backup(f.project, "../x", strings.Repeat("x", n))
		f.must(err)
		last = path
	}
	entries, err := os.ReadDir(f.project + "/.tidepool/backup/skills")
	if err != nil || len(entries) != maxBackups || len(f.read(last)) != maxBackups+4 {
		t.Errorf("%d entries, %v; %s", len(entries), err, last)
	}
	f.must(os.RemoveAll(f.project + "/.tidepool/backup"))
	f.must(os.Symlink(f.home, f.project+"/.tidepool/backup"))
	if path, err := Backup(f.project, "x", "x"); err == nil {
		t.Errorf("a backup is written through a link: %s", path)
	}
}
