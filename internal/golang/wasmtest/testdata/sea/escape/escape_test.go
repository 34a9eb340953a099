// Package escape tries to leave.
package escape

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// must not succeed.
func must(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil {
		t.Error(what, "succeeded")
	}
}

func TestWrites(t *testing.T) {
	for _, path := range []string{"new", "escape_test.go", "../go.mod", "/etc/new", "/new", "../out/new", "../../outside/new"} {
		must(t, "writing "+path, os.WriteFile(path, []byte("x"), 0o600))
		must(t, "making "+path, os.Mkdir(path, 0o700))
	}
	must(t, "removing", os.Remove("escape_test.go"))
	must(t, "renaming", os.Rename("escape_test.go", "other_test.go"))
	must(t, "renaming out", os.Rename("escape_test.go", "/tmp/other_test.go"))
	must(t, "truncating", os.Truncate("escape_test.go", 0))
	must(t, "touching", os.Chtimes("escape_test.go", t0, t0))
	_, err := os.OpenFile("escape_test.go", os.O_RDONLY|os.O_TRUNC, 0)
	if data, _ := os.ReadFile("escape_test.go"); err == nil && len(data) == 0 {
		t.Error("truncating by opening succeeded")
	}
}

func TestLinks(t *testing.T) {
	for _, dir := range []string{".", "/tmp", "/cover"} {
		must(t, "linking in "+dir, os.Symlink("/etc", filepath.Join(dir, "etc")))
		must(t, "linking hard in "+dir, os.Link("/etc/passwd", filepath.Join(dir, "passwd")))
		must(t, "linking the module in "+dir, os.Link("escape_test.go", filepath.Join(dir, "copy")))
	}
}

func TestReads(t *testing.T) {
	for _, path := range []string{"/etc/passwd", "/etc/hostname", "/proc/self/environ", "../out/secret", "../../outside/secret", "../pipe", "/dev/zero"} {
		_, err := os.ReadFile(path)
		must(t, "reading "+path, err)
	}
	_, err := os.ReadDir("../..")
	must(t, "listing what is above", err)
	if data, err := os.ReadFile("../in/salt.txt"); err != nil || string(data) != "salt\n" {
		t.Errorf("a link within the module: %q, %v", data, err)
	}
}

func TestDials(t *testing.T) {
	address, err := os.ReadFile("../address")
	if err != nil {
		t.Fatal(err)
	}
	_, err = net.Dial("tcp", strings.TrimSpace(string(address)))
	must(t, "dialling", err)
	if _, err := net.LookupHost("localhost.example.com"); err == nil {
		t.Error("looking up a name succeeded")
	}
}

func TestStarts(t *testing.T) {
	must(t, "starting a program", exec.Command("/bin/true").Run())
	_, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
	must(t, "starting a process", err)
}

func TestEnvironment(t *testing.T) {
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); !slices.Contains([]string{"PWD", "TMPDIR", "HOME"}, name) {
			t.Error(entry)
		}
	}
	if left, _ := os.ReadDir("/tmp"); len(left) != 0 {
		t.Error("there is something from another test")
	}
}

func TestLeavesSomething(t *testing.T) {
	if err := os.WriteFile("/tmp/left", nil, 0o600); err != nil {
		t.Error(err)
	}
}
