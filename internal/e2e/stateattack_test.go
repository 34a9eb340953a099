package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// An attack is what a clone has in the place of a state directory, or in it. outside is what the user would not lose: a
// directory with the files "profile", "photo.jpg", which is larger than all that is ever kept, and "settings.json".
type attack struct {
	name  string // the entry that a refusal names, below the project
	plant func(path, outside string) error
}

// linkTo plants a link to something outside.
func linkTo(below string) func(path, outside string) error {
	return func(path, outside string) error { return os.Symlink(filepath.Join(outside, below), path) }
}

func pipe(path, _ string) error { return syscall.Mkfifo(path, 0o600) }

// socket leaves a socket that nobody listens on.
func socket(path, _ string) error {
	near, err := filepath.Rel(mustGetwd(), path) // an address has 104 bytes
	if err != nil || len(near) > len(path) {
		near = path
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: near, Net: "unix"})
	if err != nil {
		return err
	}
	listener.SetUnlinkOnClose(false)
	return listener.Close()
}

func mustGetwd() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}

// device is one that never ends, or, who may not make devices, a link to it.
func device(path, _ string) error {
	const zero = 1<<8 | 5
	if err := syscall.Mknod(path, syscall.S_IFCHR|0o666, zero); err == nil {
		return nil
	}
	return os.Symlink("/dev/zero", path)
}

// stranger is a file of another user, or, who may not give files away, a link to one.
func stranger(path, _ string) error {
	if os.Geteuid() != 0 {
		return os.Symlink("/etc/hostname", path)
	}
	return errors.Join(os.WriteFile(path, []byte("[]"), 0o666), os.Chown(path, 12345, -1))
}

// twin is another name of a file outside.
func twin(path, outside string) error { return os.Link(filepath.Join(outside, "profile"), path) }

var planted = []attack{
	{".tidepool", linkTo("")},
	{".tidepool", linkTo("missing")},
	{".tidepool", linkTo("profile")},
	{".tidepool", pipe},
	{".tidepool/.gitignore", linkTo("profile")},
	{".tidepool/backup", linkTo("")},
	{".tidepool/backup/settings.json", linkTo("settings.json")},
	{".tidepool/cache/deep/deeper", linkTo("")},
	{".tidepool/clangd", linkTo("")},
	{".tidepool/clangd/.cache", linkTo("")},
	{".tidepool/clangd/.cache/clangd/index", linkTo("")},
	{".tidepool/clangd/compile_commands.json", linkTo("profile")},
	{".tidepool/clangd/read.json", linkTo("profile")},
	{".tidepool/clangd/read.json.next", linkTo("profile")},
	{".tidepool/clangd/sources", linkTo("")},
	{".tidepool/config.json", linkTo("settings.json")},
	{".tidepool/config.json", pipe},
	{".tidepool/config.json", device},
	{".tidepool/control.lock", linkTo("profile")},
	{".tidepool/control.lock", linkTo("missing")},
	{".tidepool/control.lock", pipe},
	{".tidepool/control.lock", twin},
	{".tidepool/control.sock", linkTo("profile")},
	{".tidepool/coverage", linkTo("")},
	{".tidepool/coverage/new-1", linkTo("photo.jpg")},
	{".tidepool/gopls.sock", socket},
	{".tidepool/hook-failures.jsonl", linkTo("profile")},
	{".tidepool/hook-failures.jsonl", linkTo("missing")},
	{".tidepool/hook-failures.jsonl", pipe},
	{".tidepool/hook-failures.jsonl", device},
	{".tidepool/hook-failures.jsonl.1", linkTo("profile")},
	{".tidepool/logs", linkTo("")},
	{".tidepool/logs", linkTo("missing")},
	{".tidepool/logs/controlserver.log", linkTo("profile")},
	{".tidepool/logs/controlserver.log", pipe},
	{".tidepool/logs/controlserver.log", twin},
	{".tidepool/logs/controlserver-2026-11-01T00-00-00.000.log", linkTo("profile")},
	{".tidepool/logs/start.log", linkTo("profile")},
	{".tidepool/logs/start.log", pipe},
	{".tidepool/questions.json", linkTo("profile")},
	{".tidepool/questions.json", pipe},
	{".tidepool/questions.json", device},
	{".tidepool/questions.json", stranger},
	{".tidepool/servers.json", linkTo("profile")},
	{".tidepool/tests", linkTo("")},
	{".tidepool/training", linkTo("")},
	{".tidepool/training/examples.jsonl", linkTo("profile")},
	{".tidepool/training/examples.jsonl", pipe},
	{".tidepool/training/calls.jsonl", linkTo("profile")},
}

// commands are all that touches the state directory, besides serve.
var commands = [][]string{
	{"agent", "hook", "session-start"},
	{"agent", "hook", "pre-tool-use"},
	{"agent", "hook", "stop"},
	{"agent", "status"},
	{"agent", "logs"},
	{"agent", "init", "--yes"},
	{"agent", "uninit", "--yes"},
	{"controlserver", "export-training"},
}

// What a clone has put into the state directory keeps the daemon from starting, and is named with what to do. No command
// follows it: what it leads to is as it was, nothing hangs, and it is not removed either.
func TestStateThatPointsElsewhere(t *testing.T) {
	var held atomic.Int64
	t.Cleanup(func() {
		t.Logf("links, pipes, devices, sockets and foreign files in .tidepool: %d of %d attempts held", held.Load(), len(planted))
	})
	for _, a := range planted {
		t.Run(strings.ReplaceAll(a.name, "/", " "), func(t *testing.T) {
			t.Parallel() // it waits for ten processes, one after the other
			v := newVictim(t)
			path := filepath.Join(v.dir, a.name)
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, a.plant(path, v.outside))
			what, err := os.Lstat(path)
			must(t, err)
			before := v.tree()
			status, said := v.run("controlserver", "serve", "--record", "--scorer", "heuristic")
			if status == 0 || !strings.Contains(said, path) || !strings.Contains(said, "hint: ") {
				t.Errorf("serve ends with %d: %s", status, said)
			}
			if _, said := v.run("agent", "doctor", "--fix", "--json"); !strings.Contains(said, path) {
				t.Errorf("doctor does not name it: %s", said)
			}
			for _, c := range commands {
				v.run(c[0], c[1:]...)
			}
			if after := v.tree(); after != before {
				t.Errorf("outside was\n%s\nand is\n%s", before, after)
			}
			if now, err := os.Lstat(path); err != nil || !os.SameFile(what, now) {
				t.Errorf("%s was removed or replaced: %v", a.name, err)
			}
			if !t.Failed() {
				held.Add(1)
			}
		})
	}
}

// A link to the daemon of another project, or to its socket, gets no answer of that daemon, which knows other rules, and tells
// it nothing.
func TestDaemonOfAnotherProject(t *testing.T) {
	other := newVictim(t)
	must(t, os.Mkdir(filepath.Join(other.dir, ".tidepool"), 0o700))
	must(t, os.WriteFile(filepath.Join(other.dir, ".tidepool", "config.json"), []byte(`{"pre_tool_use": "allow"}`), 0o600))
	if status, said := other.run("agent", "trust"); status != 0 { // its rules count
		t.Fatal(said)
	}
	if _, said := other.run("agent", "hook", "session-start"); said != "" {
		t.Fatal(said)
	}
	defer other.run("controlserver", "stop")
	if _, said := other.run("agent", "hook", "pre-tool-use"); !strings.Contains(said, "allow") {
		t.Fatalf("the other daemon says %s", said)
	}
	for _, name := range []string{".tidepool", ".tidepool/control.sock"} {
		v := newVictim(t)
		path := filepath.Join(v.dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.Symlink(filepath.Join(other.dir, name), path))
		for _, event := range []string{"pre-tool-use", "session-start"} {
			if _, said := v.run("agent", "hook", event); !strings.Contains(said, "passed unchecked") || !strings.Contains(said, "symbolic link") {
				t.Errorf("%s: %s says %s", name, event, said)
			}
		}
		for _, c := range [][]string{{"agent", "health"}, {"agent", "status"}, {"agent", "questions"}, {"agent", "call", "exo_status", "{}"}} {
			if status, said := v.run(c[0], c[1:]...); status == 0 {
				t.Errorf("%s: %v says %s", name, c, said)
			}
		}
	}
}

// A victim is a project beside what its user would not lose.
type victim struct {
	project
	t             *testing.T
	home, outside string
}

func newVictim(t *testing.T) *victim {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	v := &victim{t: t, home: filepath.Join(dir, "home"), outside: filepath.Join(dir, "outside")}
	v.dir, v.env = filepath.Join(dir, "p"), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + v.home, "TMPDIR=" + v.home}
	for _, dir := range []string{v.home, v.dir, v.outside} {
		must(t, os.Mkdir(dir, 0o700))
	}
	for name, text := range map[string]string{"profile": "export PATH\n", "settings.json": "{}\n", "photo.jpg": ""} {
		must(t, os.WriteFile(filepath.Join(v.outside, name), []byte(text), 0o600))
	}
	must(t, os.Truncate(filepath.Join(v.outside, "photo.jpg"), 100<<20))
	must(t, os.WriteFile(filepath.Join(v.dir, "go.mod"), []byte("module example.com/m\n"), 0o600))
	return v
}

// run runs a program that has to end by itself, and returns its status and what it has said.
func (v *victim) run(name string, args ...string) (status int, said string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), 20*time.Second)
	defer cancel()
	cmd := v.command(ctx, name, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		v.t.Errorf("%s %v hangs: %s", name, args, out)
	}
	if cmd.ProcessState == nil {
		v.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// tree describes all that is outside, and what it holds.
func (v *victim) tree() string {
	v.t.Helper()
	var all strings.Builder
	must(v.t, filepath.WalkDir(v.outside, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		sum := ""
		if info.Mode().IsRegular() && info.Size() < 1<<20 {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			of := sha256.Sum256(data)
			sum = hex.EncodeToString(of[:4])
		}
		fmt.Fprintln(&all, strings.TrimPrefix(path, v.outside), info.Mode(), info.Size(), sum)
		return nil
	}))
	return all.String()
}
