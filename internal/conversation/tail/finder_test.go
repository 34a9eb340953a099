package tail

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tidepool/internal/transcript"
)

// names returns the paths of what was found, below the directory of all projects.
func names(h *home, found []Transcript) []string {
	var all []string
	for _, t := range found {
		all = append(all, strings.TrimPrefix(t.Path, filepath.Join(h.dir, ".claude/projects")+"/"))
	}
	slices.Sort(all)
	return all
}

func cwd(dir string) string { return fmt.Sprintf(`{"type":"user","uuid":"u","cwd":%q}`, dir) + "\n" }

func TestWhoseAFileIs(t *testing.T) {
	h := newHome(t)
	at := func(rel string) string {
		path := filepath.Join(h.dir, ".claude/projects", rel)
		h.mkdir(filepath.Dir(path))
		return path
	}
	h.append(at("-home-dev-shop/ours.jsonl"), cwd("/home/dev/shop"))
	h.append(at("-home-dev-shop/below.jsonl"), `{"type":"mode"}`+"\n\x00\n"+cwd("/home/dev/shop/a/b"))
	h.append(at("-home-dev-shop/same-name.jsonl"), cwd("/home/dev-shop"))
	h.append(at("-home-dev-shopping/x.jsonl"), cwd("/home/dev/shopping"))
	h.append(at("-elsewhere/moved.jsonl"), cwd("/home/dev/shop"))
	h.append(at("-home-dev-shop/outside.jsonl"), cwd("/home/dev/shop/../other"))
	h.append(at("-home-dev-shop/relative.jsonl"), cwd("shop"))
	h.append(at("-home-dev-shop/silent.jsonl"), `{"type":"mode"}`+"\n")
	h.append(at("-home-dev-shop/late.jsonl"), `{"type":"summary","summary":"`+strings.Repeat("s", 100<<10)+`"}`+"\n"+cwd("/home/dev/shop"))
	h.append(at("-home-dev-shop/ours/subagents/agent-1.jsonl"), cwd("/home/dev/shop"))
	h.append(at("-home-dev-shop/ours/subagents/workflows/w/agent-2.jsonl"), cwd("/home/dev/shop"))
	h.append(at("-home-dev-shop/ours/subagents/workflows/w/journal.jsonl"), cwd("/home/dev/shop"))
	h.append(at("-home-dev-shop/ours/tool-results/agent-3.jsonl"), cwd("/home/dev/shop"))
	h.append(at("-home-dev-shop/agent-4.jsonl"), cwd("/home/dev/shop"))
	h.append(at("-home-dev-shop/deleted/subagents/agent-5.jsonl"), cwd("/home/dev/shop"))
	h.mkdir(at("-home-dev-shop/directory.jsonl"))
	f := newArchive(h.dir).finder
	want := []string{
		"-elsewhere/moved.jsonl", "-home-dev-shop/agent-4.jsonl", "-home-dev-shop/below.jsonl", "-home-dev-shop/deleted/subagents/agent-5.jsonl",
		"-home-dev-shop/late.jsonl", "-home-dev-shop/ours.jsonl", "-home-dev-shop/ours/subagents/agent-1.jsonl",
		"-home-dev-shop/ours/subagents/workflows/w/agent-2.jsonl",
	}
	for range 2 { // the second time from what is known
		found, err := f.Walk(t.Context())
		if err != nil || !slices.Equal(names(h, found.Transcripts), want) || len(found.Refused) > 0 {
			t.Errorf("%q %v %v", names(h, found.Transcripts), found.Refused, err)
		}
	}
	// A file that has not told whose it is does so later.
	h.append(at("-home-dev-shop/silent.jsonl"), cwd("/home/dev/shop"))
	found, err := f.Walk(t.Context())
	if err != nil || !slices.Contains(names(h, found.Transcripts), "-home-dev-shop/silent.jsonl") {
		t.Errorf("%q %v", names(h, found.Transcripts), err)
	}
}

func TestALinkedProjectIsTheProject(t *testing.T) {
	h := newHome(t)
	real, link := filepath.Join(h.dir, "real"), filepath.Join(h.dir, "link")
	h.mkdir(filepath.Join(real, "sub"))
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	f := NewFinder(Options{Home: h.dir, Dirs: []string{real}})
	for dir, want := range map[string]bool{link: true, link + "/sub": true, real + "/gone": true, link + "/gone": false, h.dir: false} {
		if got := f.Contains(dir); got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
}

func TestWhatIsNotOpened(t *testing.T) {
	h := newHome(t)
	outside := filepath.Join(h.dir, "secret.jsonl")
	h.append(outside, cwd(project))
	h.append(filepath.Join(h.slug, "real.jsonl"), cwd(project))
	h.mkdir(filepath.Join(h.slug, "dir.jsonl"))
	h.append(filepath.Join(h.slug, "foreign.jsonl"), cwd(project))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink(outside, filepath.Join(h.slug, "link.jsonl")))
	must(os.Symlink("real.jsonl", filepath.Join(h.slug, "inner.jsonl")))
	must(os.Symlink(h.slug, filepath.Join(h.dir, ".claude/projects/-loop")))
	must(os.Symlink("loop.jsonl", filepath.Join(h.slug, "loop.jsonl")))
	must(syscall.Mkfifo(filepath.Join(h.slug, "pipe.jsonl"), 0o600))
	if os.Geteuid() == 0 {
		must(os.Chown(filepath.Join(h.slug, "foreign.jsonl"), 12345, 12345))
	} else {
		must(os.Chmod(filepath.Join(h.slug, "foreign.jsonl"), 0))
	}
	f := newArchive(h.dir).finder
	found, err := f.Walk(t.Context())
	if got := names(h, found.Transcripts); err != nil || !slices.Equal(got, []string{"-home-dev-shop/real.jsonl"}) {
		t.Errorf("%q %v", got, err)
	}
	if len(found.Refused) != 5 || found.More != 0 {
		t.Errorf("%v", found.Refused)
	}
	for _, rel := range []string{
		"-home-dev-shop/link.jsonl", "-home-dev-shop/inner.jsonl", "-loop/real.jsonl", "-home-dev-shop/loop.jsonl", "-home-dev-shop/pipe.jsonl",
		"-home-dev-shop/dir.jsonl", "-home-dev-shop/foreign.jsonl", "../../secret.jsonl", "-home-dev-shop/../../../secret.jsonl",
		"-home-dev-shop/real.jsonl/subagents/agent-1.jsonl", "-home-dev-shop/notes.txt",
	} {
		opened, err := f.Open(filepath.Join(h.dir, ".claude/projects") + "/" + rel)
		var refused *RefusedError
		if !errors.As(err, &refused) || strings.Contains(refused.Why, "secret") {
			t.Errorf("%s: %v %v", rel, opened, err)
		}
	}
	if _, err := f.Open(filepath.Join(h.slug, "none.jsonl")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	// The user's own directory may be a link, and its name given by a variable.
	must(os.Symlink(filepath.Join(h.dir, ".claude"), filepath.Join(h.dir, "config")))
	linked := NewFinder(Options{Dirs: []string{project}, Sources: transcript.Sources()[:1], Getenv: func(string) string { return filepath.Join(h.dir, "config") }})
	found, err = linked.Walk(t.Context())
	if err != nil || len(found.Transcripts) != 1 || found.Transcripts[0].Path != filepath.Join(h.dir, "config/projects/-home-dev-shop/real.jsonl") {
		t.Errorf("%+v %v", found, err)
	}
}

func TestCodexFilesAreFound(t *testing.T) {
	h := newHome(t)
	day := filepath.Join(h.dir, ".codex/sessions/2026/03/02")
	h.mkdir(day)
	path := filepath.Join(day, "rollout-2026-03-02T09-00-00-5973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl")
	h.append(path, `{"timestamp":"2026-03-02T09:00:00Z","type":"session_meta","payload":{"id":"5973b6c0-94b8-487b-a530-2aeb6098ae0e","cwd":"/home/dev/shop"}}`+"\n")
	w := h.watch(false)
	h.expect(w, path)
	next := filepath.Join(h.dir, ".codex/sessions/2026/03/03")
	h.mkdir(next)
	other := filepath.Join(next, "rollout-2026-03-03T09-00-00-6973b6c0-94b8-487b-a530-2aeb6098ae0e.jsonl")
	h.append(other, `{"timestamp":"2026-03-03T09:00:00Z","type":"session_meta","payload":{"id":"x","cwd":"/home/dev/shop/sub"}}`+"\n")
	h.expect(w, other)
}

// BenchmarkWalk looks for one session of the project among 10,000 others in 100 directories: at a start, and again.
func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	for i := range 10_000 {
		slug := filepath.Join(dir, fmt.Sprintf(".claude/projects/-home-dev-%d", i%100))
		if err := os.MkdirAll(slug, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(slug, fmt.Sprintf("%d.jsonl", i)), []byte(cwd("/home/dev/other")), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			if _, err := newArchive(dir).finder.Walk(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		f := newArchive(dir).finder
		for b.Loop() {
			if _, err := f.Walk(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
