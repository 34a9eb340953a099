package execution

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"tidepool/internal/session"
)

func TestRead(t *testing.T) {
	f := newFixture(t)
	f.file("src/a.go", "package a\n\n\tfunc A() {}\n// end\n")
	out, text := call[SafeReadOutput](f, "safe_read", args{"path": "src/a.go", "offset": 2, "limit": 2})
	if text != "src/a.go 2-3 of 4 · hash "+out.Hash+"\n2: \n3: \tfunc A() {}\n" || out.TotalLines != 4 || out.Summary != "Read 2 lines from src/a.go" {
		t.Errorf("%+v\n%s", out, text)
	}
	if _, text := call[SafeReadOutput](f, "safe_read", args{"path": filepath.Join(f.root, "src/a.go"), "grep": "func|end"}); !strings.HasPrefix(text, "src/a.go: 2 matches in 4 lines · hash ") || !strings.HasSuffix(text, "\n3: \tfunc A() {}\n4: // end\n") {
		t.Errorf("%s", text)
	}
	if _, text := call[SafeReadOutput](f, "safe_read", args{"path": "src/a.go", "offset": 9}); !strings.HasPrefix(text, "src/a.go: no line from 9, of 4") {
		t.Errorf("%s", text)
	}
	result, err := f.callAs(session.Conversation{Dir: filepath.Join(f.root, "src")}, "safe_read", args{"path": "a.go"})
	if err != nil || !strings.HasPrefix(result.Text, "src/a.go 1-4 of 4") {
		t.Errorf("%s, %v", result.Text, err)
	}
	f.file("long", strings.Repeat(strings.Repeat("x", 99)+"\n", 500))
	if out, text := call[SafeReadOutput](f, "safe_read", args{"path": "long"}); out.Left == 0 || !strings.HasSuffix(text, "more asked for: offset 78)\n") {
		t.Errorf("%d left: %s", out.Left, text[len(text)-100:])
	}
	f.file("key", "a\n-----BEGIN RSA PRIVATE KEY-----\n"+strings.Repeat("MIIEpAIBAAKCAQEA7bq0gYhX5r1pDk3Zc9vT\n", 5)+"-----END RSA PRIVATE KEY-----\nb\n")
	if out, text := call[SafeReadOutput](f, "safe_read", args{"path": "key"}); strings.Contains(text, "MIIE") || len(out.Secrets) == 0 || !strings.Contains(text, "lines of secrets left out") {
		t.Errorf("%s", text)
	}
}

func TestWrite(t *testing.T) {
	f := newFixture(t)
	out, text := call[SafeWriteOutput](f, "safe_write", args{"path": "new/dir/a.txt", "content": "one\ntwo\n"})
	if f.content("new/dir/a.txt") != "one\ntwo\n" || text != "wrote 2 lines to new/dir/a.txt (8 bytes) · hash "+out.Hash+"\n" || out.BytesWritten != 8 {
		t.Errorf("%+v\n%s", out, text)
	}
	f.file("run.sh", "old")
	must(t, os.Chmod(filepath.Join(f.root, "run.sh"), 0o750))
	call[SafeWriteOutput](f, "safe_write", args{"path": "run.sh", "content": " and new", "append": true})
	info, err := os.Stat(filepath.Join(f.root, "run.sh"))
	if err != nil || info.Mode() != 0o750 || f.content("run.sh") != "old and new" {
		t.Errorf("%v, %v, %q", info.Mode(), err, f.content("run.sh"))
	}
	read, _ := call[SafeReadOutput](f, "safe_read", args{"path": "run.sh"})
	call[SafeWriteOutput](f, "safe_write", args{"path": "run.sh", "content": "newer", "expect": read.Hash})
	f.refuses("safe_write", args{"path": "run.sh", "content": "x", "expect": read.Hash}, "has changed since it was read")
	f.refuses("safe_write", args{"path": "gone", "content": "x", "expect": read.Hash}, "there is no gone")
	if f.content("run.sh") != "newer" {
		t.Errorf("%q", f.content("run.sh"))
	}
	e := f.entries()[0]
	if e.Tool != "safe_write" || e.Input != "new/dir/a.txt" || e.Bytes != 8 || len(e.SHA256) != 64 {
		t.Errorf("%+v", e)
	}
	left, err := filepath.Glob(filepath.Join(f.root, "*.next"))
	if hidden, err2 := filepath.Glob(filepath.Join(f.root, ".*.next")); err != nil || err2 != nil || len(left)+len(hidden) > 0 {
		t.Errorf("left: %v %v", left, hidden)
	}
}

// Whatever a path leads to that is not a file of the project, neither tool opens.
func TestBadPaths(t *testing.T) {
	f := newFixture(t)
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "x"), []byte("outside"), 0o600))
	must(t, syscall.Mkfifo(filepath.Join(f.root, "pipe"), 0o600))
	f.file("dir/file", "x")
	f.file("binary", "a\x00b")
	for link, to := range map[string]string{"out": outside, "link": "dir/file", "dirlink": "dir", "broken": "nowhere", "device": "/dev/zero"} {
		must(t, os.Symlink(to, filepath.Join(f.root, link)))
	}
	for path, why := range map[string]string{
		"":                                     "path",
		"a\x00b":                               "is no path",
		strings.Repeat("x/", 3000):             "path",
		"/etc/passwd":                          "outside of the project",
		"../x":                                 "outside of the project",
		"dir/../../x":                          "outside of the project",
		"out/x":                                "is a link to",
		"link":                                 "is a link to dir/file",
		"dirlink/file":                         "is a link to dir",
		"broken":                               "is a link to nowhere",
		"device":                               "is a link to /dev/zero",
		"pipe":                                 "a pipe, a socket or a device",
		"dir":                                  "is a directory",
		".":                                    "",
		"dir/file/x":                           "is a file, not a directory",
		".tidepool/config.json":                "refused",
		".TIDEPOOL/config.json":                "refused",
		"deploy/.netrc":                        "holds credentials",
		"id_ed25519":                           "holds credentials",
		filepath.Join(outside, "x"):            "outside of the project",
		"x\x1b[2J/" + strings.Repeat("y", 300): "",
	} {
		f.refuses("safe_read", args{"path": path}, why)
		if !strings.HasPrefix(path, "x\x1b") {
			f.refuses("safe_write", args{"path": path, "content": "changed"}, why)
		}
	}
	f.refuses("safe_read", args{"path": "none"}, "there is no none")
	f.refuses("safe_read", args{"path": "binary"}, "is a binary file of 3 bytes")
	f.refuses("safe_read", args{"path": "dir/file", "grep": "["}, "missing closing ]")
	for _, path := range []string{".git/hooks/post-commit", ".git/config", ".claude/settings.json", ".mcp.json", ".vscode/tasks.json", "ops/run.sh", "vendor/a/.git/config"} {
		f.refuses("safe_write", args{"path": path, "content": "x"}, "is refused")
		if f.content(path) != "" {
			t.Errorf("%s was written", path)
		}
	}
	if data, err := os.ReadFile(filepath.Join(outside, "x")); err != nil || string(data) != "outside" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestFileThatIsTooLarge(t *testing.T) {
	f := newFixture(t)
	f.file("large", "")
	must(t, os.Truncate(filepath.Join(f.root, "large"), 20<<30)) // without a block on the disk
	f.refuses("safe_read", args{"path": "large"}, "larger than 16 MB")
	f.refuses("safe_write", args{"path": "large", "content": "x", "append": true}, "larger than 16 MB")
}

// While a command swaps a directory for a link, nothing outside is read or written.
func TestDirectoryThatBecomesALink(t *testing.T) {
	f := newFixture(t)
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "x"), []byte("outside"), 0o600))
	f.file("d/x", "inside")
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		d, aside := filepath.Join(f.root, "d"), filepath.Join(f.root, "aside")
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(d, aside)
			_ = os.Symlink(outside, d)
			_ = os.Remove(d)
			_ = os.Rename(aside, d)
		}
	})
	for range 300 {
		if result, err := f.callAs(session.Conversation{}, "safe_read", args{"path": "d/x"}); err == nil && strings.Contains(result.Text, "outside") {
			t.Fatalf("%s", result.Text)
		}
		_, _ = f.callAs(session.Conversation{}, "safe_write", args{"path": "d/x", "content": "inside"}) // refused, or not
	}
	close(stop)
	swapping.Wait()
	if data, err := os.ReadFile(filepath.Join(outside, "x")); err != nil || string(data) != "outside" {
		t.Errorf("%q, %v", data, err)
	}
}

// Of texts that are added at the same time none is lost.
func TestAppendAtOnce(t *testing.T) {
	f := newFixture(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := f.callAs(session.Conversation{}, "safe_write", args{"path": "log", "content": "line\n", "append": true}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := f.content("log"); got != strings.Repeat("line\n", 20) {
		t.Errorf("%q", got)
	}
}

// What is written is read, line by line.
func TestWrittenIsRead(t *testing.T) {
	f := newFixture(t)
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-z (){}\t]{0,30}`), 1, 20).Draw(rt, "lines")
		call[SafeWriteOutput](f, "safe_write", args{"path": "f", "content": strings.Join(lines, "\n") + "\n"})
		out, _ := call[SafeReadOutput](f, "safe_read", args{"path": "f"})
		var got []string
		for line := range strings.Lines(out.ContentPreview) {
			_, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			got = append(got, text)
		}
		if strings.Join(got, "\n") != strings.Join(lines, "\n") {
			rt.Fatalf("%q, want %q", got, lines)
		}
	})
}
