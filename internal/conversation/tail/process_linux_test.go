package tail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The test program is also a process that reads under another user, or whose memory is measured.
func TestMain(m *testing.M) {
	switch home := os.Getenv("TAIL_TEST_HOME"); os.Getenv("TAIL_TEST") {
	case "walk":
		os.Exit(report(walk(home)))
	case "read":
		os.Exit(report(readAll(home)))
	}
	os.Exit(m.Run())
}

// A reading is what a process has found.
type reading struct {
	Files   []string          // names
	Refused map[string]string // by name: why
	Closed  string            // what opening closed.jsonl says
	Lines   []string
	Peak    int64 // of the resident memory, bytes
}

func report(r reading, err error) int {
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// walk looks for the transcripts of a home, and opens some by name.
func walk(home string) (reading, error) {
	f := newArchive(home).finder
	found, err := f.Walk(context.Background())
	r := reading{Refused: map[string]string{}}
	for _, t := range found.Transcripts {
		r.Files = append(r.Files, filepath.Base(t.Path))
	}
	for _, one := range found.Refused {
		r.Refused[filepath.Base(one.Path)] = one.Why
	}
	_, failure := f.Open(filepath.Join(home, ".claude/projects/-home-dev-shop/closed.jsonl"))
	var refused *RefusedError
	if errors.As(failure, &refused) {
		r.Closed = refused.Why
	}
	return r, err
}

// readAll reads the one file of a home.
func readAll(home string) (reading, error) {
	f, err := newArchive(home).finder.Open(filepath.Join(home, ".claude/projects/-home-dev-shop/a.jsonl"))
	if err != nil {
		return reading{}, err
	}
	defer f.Close()
	lengths := new(lineLengths)
	if _, err = f.Read(Place{}, 0, lengths); err != nil {
		return reading{}, err
	}
	peak, err := peakMemory()
	return reading{Lines: *lengths, Peak: peak}, err
}

// lineLengths are the lengths of lines.
type lineLengths []string

func (l *lineLengths) Line(at int64, line []byte) {
	*l = append(*l, fmt.Sprintf("%d+%d", at, len(line)))
}
func (l *lineLengths) PassedOver(at, length int64) {
	*l = append(*l, fmt.Sprintf("%d over %d", at, length))
}

// run runs a copy of the test program, which another user can execute.
func run(t *testing.T, what, home string, user *syscall.Credential) (r reading) {
	t.Helper()
	program := filepath.Join(home, "program")
	copyFile(t, os.Args[0], program)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "TAIL_TEST="+what, "TAIL_TEST_HOME="+home)
	cmd.Stderr = os.Stderr
	cmd.Dir = home
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err == nil {
		_, err = io.Copy(out, in)
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// openHome returns a home that every user can enter.
func openHome(t *testing.T) *home {
	t.Helper()
	dir, err := os.MkdirTemp("", "tail")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	h := &home{t: t, dir: dir, slug: filepath.Join(dir, ".claude/projects/-home-dev-shop")}
	h.mkdir(h.slug)
	for at := h.slug; len(at) >= len(dir); at = filepath.Dir(at) {
		must(t, os.Chmod(at, 0o755))
	}
	return h
}

// readerUser returns the user that a process reads as: another one than root, whom permissions do not bind.
func readerUser() (uid int, user *syscall.Credential) {
	if os.Geteuid() != 0 {
		return os.Geteuid(), nil
	}
	return 12345, &syscall.Credential{Uid: 12345, Gid: 12345}
}

// What a user may not read is refused by name, and the rest is found: a file, a directory of the project, the directory of all.
func TestWithoutPermission(t *testing.T) {
	h := openHome(t)
	uid, user := readerUser()
	own := func(path string, mode os.FileMode) {
		must(t, os.Chown(path, uid, -1))
		must(t, os.Chmod(path, mode))
	}
	for name, mode := range map[string]os.FileMode{"open.jsonl": 0o600, "closed.jsonl": 0} {
		h.append(filepath.Join(h.slug, name), first)
		own(filepath.Join(h.slug, name), mode)
	}
	closed := h.slug + "-closed"
	h.mkdir(closed)
	h.append(filepath.Join(closed, "within.jsonl"), first)
	own(closed, 0)
	t.Cleanup(func() { os.Chmod(closed, 0o700) })

	r := run(t, "walk", h.dir, user)
	if strings.Join(r.Files, " ") != "open.jsonl" {
		t.Errorf("found %q", r.Files)
	}
	const why = "this user may not read it"
	if len(r.Refused) != 2 || r.Refused["closed.jsonl"] != why || r.Refused["-home-dev-shop-closed"] != why || r.Closed != why {
		t.Errorf("refused %q, opened %q", r.Refused, r.Closed)
	}

	root := filepath.Join(h.dir, ".claude/projects")
	own(root, 0)
	t.Cleanup(func() { os.Chmod(root, 0o700) })
	must(t, os.Remove(filepath.Join(h.dir, "program")))
	if r := run(t, "walk", h.dir, user); len(r.Files) != 0 || r.Refused["projects"] != why {
		t.Errorf("of a closed root: found %q, refused %q", r.Files, r.Refused)
	}
}
