package main

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An installer runs install.sh for a user whose home and prefix have blanks in their paths.
type installer struct {
	t      *testing.T
	dir    string // of the downloads: the tarball and its checksums
	prefix string
}

const tarballName = "tidepool-0.2.0-test-test.tar.gz"

func newInstaller(t *testing.T) *installer {
	t.Helper()
	home := filepath.Join(t.TempDir(), "a home")
	i := &installer{t: t, dir: filepath.Join(home, "my downloads"), prefix: filepath.Join(home, "the prefix")}
	for _, dir := range []string{i.dir, i.prefix} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	i.pack(fakes("0.2.0"))
	return i
}

// pack makes the tarball and its checksums.
func (i *installer) pack(entries []entry) {
	i.t.Helper()
	if err := os.RemoveAll(i.tarball()); err != nil {
		i.t.Fatal(err)
	}
	if err := writeTarball(i.tarball(), "tidepool-0.2.0-test-test", entries, at()); err != nil {
		i.t.Fatal(err)
	}
	if err := writeSums(i.dir); err != nil {
		i.t.Fatal(err)
	}
}

func (i *installer) tarball() string { return filepath.Join(i.dir, tarballName) }

// run runs install.sh and returns what it printed, and its exit code.
func (i *installer) run(args ...string) (string, int) {
	i.t.Helper()
	script, err := filepath.Abs("../../scripts/install.sh")
	if err != nil {
		i.t.Fatal(err)
	}
	return i.runScript(script, args...)
}

func (i *installer) runScript(script string, args ...string) (string, int) {
	i.t.Helper()
	cmd := exec.CommandContext(i.t.Context(), "sh", append([]string{script}, args...)...)
	cmd.Dir, cmd.Env = i.dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(i.dir), "TMPDIR=" + i.t.TempDir()}
	out, err := cmd.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		i.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (i *installer) succeeds(args ...string) string {
	i.t.Helper()
	out, code := i.run(args...)
	if code != 0 {
		i.t.Fatalf("install.sh %q: exit %d\n%s", args, code, out)
	}
	return out
}

// refuses checks that install.sh says what is wrong and what to do, and changes nothing below the prefix.
func (i *installer) refuses(want string, args ...string) {
	i.t.Helper()
	before := snapshot(i.t, filepath.Dir(i.prefix))
	out, code := i.run(append(args, "--prefix", i.prefix)...)
	if code == 0 || !strings.Contains(out, want) || !strings.Contains(out, "hint: ") {
		i.t.Errorf("install.sh %q: exit %d, want a refusal that has %q\n%s", args, code, want, out)
	}
	if after := snapshot(i.t, filepath.Dir(i.prefix)); after != before {
		i.t.Errorf("install.sh %q refuses and changes\n%s\nto\n%s", args, before, after)
	}
}

// snapshot describes everything below dir.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		what := ""
		switch {
		case e.Type() == fs.ModeSymlink:
			what, err = os.Readlink(path)
		case e.Type().IsRegular():
			what, err = sumOf(path)
		}
		b.WriteString(strings.TrimPrefix(path, dir) + " " + info.Mode().String() + " " + what + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Installing, installing a newer version and uninstalling leave what was there before, and nothing else.
func TestInstallAndUninstall(t *testing.T) {
	i := newInstaller(t)
	write(t, filepath.Join(i.prefix, "bin", "mine"), "mine")
	write(t, filepath.Join(i.prefix, "share", "man", "man1", "mine.1"), "mine")
	before := snapshot(t, i.prefix)
	out := i.succeeds(i.tarball(), "--prefix", i.prefix)
	for _, want := range []string{"installed agent 0.2.0 below " + i.prefix, `export PATH="` + i.prefix + `/bin:$PATH"`, "agent init"} {
		if !strings.Contains(out, want) {
			t.Errorf("install.sh does not say %q:\n%s", want, out)
		}
	}
	for path, want := range map[string]fs.FileMode{"bin/agent": 0o755, "bin/controlserver": 0o755, "share/man/man1/agent.1": 0o644} {
		if info, err := os.Lstat(filepath.Join(i.prefix, path)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if target, err := os.Readlink(filepath.Join(i.prefix, "bin", "agent-shell")); err != nil || target != "agent" {
		t.Errorf("agent-shell leads to %q (%v)", target, err)
	}
	i.pack(append(fakes("0.3.0"), entry{name: "share/new/page", mode: 0o644}))
	i.succeeds(i.tarball(), "--prefix", i.prefix)
	said, err := exec.CommandContext(t.Context(), filepath.Join(i.prefix, "bin", "agent-shell")).Output()
	if err != nil || !strings.HasPrefix(string(said), "agent 0.3.0 ") {
		t.Errorf("the second version says %q (%v)", said, err)
	}
	i.succeeds("--uninstall", "--prefix", i.prefix)
	if after := snapshot(t, i.prefix); after != before {
		t.Errorf("uninstalling leaves\n%s\nwant\n%s", after, before)
	}
	i.refuses("nothing is installed below", "--uninstall")
}

// Without a prefix it is ~/.local, and an unpacked tarball needs no argument.
func TestInstallFromAnUnpackedTarball(t *testing.T) {
	i := newInstaller(t)
	script, err := os.ReadFile("../../scripts/install.sh")
	if err != nil {
		t.Fatal(err)
	}
	entries := fakes("0.2.0")
	entries[0].data = script
	tree := filepath.Join(i.dir, "tidepool-0.2.0-test-test")
	if err := lay(tree, entries); err != nil {
		t.Fatal(err)
	}
	local := filepath.Join(filepath.Dir(i.dir), ".local")
	if out, code := i.runScript(filepath.Join(tree, "install.sh")); code != 0 || !strings.Contains(out, local) {
		t.Fatalf("exit %d\n%s", code, out)
	}
	if out, code := i.runScript(filepath.Join(tree, "install.sh"), "--uninstall"); code != 0 {
		t.Errorf("exit %d\n%s", code, out)
	}
	if left := snapshot(t, local); left != " drwxr-xr-x \n" {
		t.Errorf("left below ~/.local is\n%s", left)
	}
}

func TestInstallChecksTheTarball(t *testing.T) {
	i := newInstaller(t)
	sum, err := sumOf(i.tarball())
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Repeat("0", 64)
	i.refuses("the checksum of "+tarballName+" is "+sum+", not "+wrong, i.tarball(), "--sha256", wrong)
	i.refuses("there is no tarball", filepath.Join(i.dir, "none.tar.gz"))
	i.refuses("there is no bin/agent", i.tarballOf(entry{name: "bin/other", mode: 0o755}), "--sha256", i.sumOfOther())
	i.refuses("do not run on this machine", i.tarballOf(fakes("0.2.0")[1], entry{name: "bin/agent", mode: 0o755, data: []byte("#!/bin/sh\necho 'another machine' >&2; exit 1\n")}), "--sha256", i.sumOfOther())
	i.refuses("the link bin/agent-shell to another directory", i.tarballOf(append(fakes("0.2.0")[3:], fakes("0.2.0")[1], entry{name: "bin/agent-shell", link: "../../elsewhere"})...), "--sha256", i.sumOfOther())
	i.refuses("SHA256SUMS does not name other.tar.gz", i.tarballOf(fakes("0.2.0")...))

	data, err := os.ReadFile(i.tarball())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(i.tarball(), data[:len(data)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	i.refuses("not "+sum, i.tarball())
	cut, err := sumOf(i.tarball())
	if err != nil {
		t.Fatal(err)
	}
	i.refuses("cannot be unpacked", i.tarball(), "--sha256", cut)
	if err := os.Remove(filepath.Join(i.dir, sumsName)); err != nil {
		t.Fatal(err)
	}
	i.refuses("SHA256SUMS to check the tarball with", i.tarball())
	i.succeeds("--help")
	i.refuses("does not know --frob", "--frob")
	i.refuses("takes one tarball", i.tarball(), i.tarball())
}

// tarballOf writes another tarball, which the checksums do not name.
func (i *installer) tarballOf(entries ...entry) string {
	i.t.Helper()
	path := filepath.Join(i.dir, "other.tar.gz")
	if err := writeTarball(path, "other", entries, at()); err != nil {
		i.t.Fatal(err)
	}
	return path
}

func (i *installer) sumOfOther() string {
	i.t.Helper()
	sum, err := sumOf(filepath.Join(i.dir, "other.tar.gz"))
	if err != nil {
		i.t.Fatal(err)
	}
	return sum
}

// Nothing is written through a link, and nothing foreign is overwritten.
func TestInstallFollowsNoLink(t *testing.T) {
	i := newInstaller(t)
	elsewhere := filepath.Join(filepath.Dir(i.prefix), "elsewhere")
	write(t, filepath.Join(elsewhere, "victim"), "mine")
	link := func(target, name string) {
		t.Helper()
		path := filepath.Join(i.prefix, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"bin", "share", "lib"} {
		link(elsewhere, dir)
		i.refuses(dir+" is a symbolic link, which install.sh does not follow", i.tarball())
		i.refuses(dir+" is a symbolic link, which install.sh does not follow", i.tarball(), "--replace")
		if err := os.Remove(filepath.Join(i.prefix, dir)); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(elsewhere, "victim"), "bin/agent")
	link(elsewhere, "bin/agent-shell")
	i.refuses("bin/agent is there, and install.sh has not installed it", i.tarball())
	before := snapshot(t, elsewhere)
	i.succeeds(i.tarball(), "--replace", "--prefix", i.prefix)
	if info, err := os.Lstat(filepath.Join(i.prefix, "bin", "agent")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("bin/agent is %v (%v)", info, err)
	}
	// The same for uninstalling: a link that took the place of a directory.
	if err := os.Rename(filepath.Join(i.prefix, "bin"), filepath.Join(i.prefix, "was")); err != nil {
		t.Fatal(err)
	}
	link(elsewhere, "bin")
	write(t, filepath.Join(elsewhere, "agent"), "mine")
	i.refuses("bin is a symbolic link", "--uninstall")
	if err := os.Remove(filepath.Join(elsewhere, "agent")); err != nil {
		t.Fatal(err)
	}
	if after := snapshot(t, elsewhere); after != before {
		t.Errorf("elsewhere has become\n%s\nfrom\n%s", after, before)
	}
}

// A URL has its checksums beside it. Only this machine is asked without TLS.
func TestInstallFromAURL(t *testing.T) {
	i := newInstaller(t)
	server := httptest.NewServer(http.FileServer(http.Dir(i.dir)))
	defer server.Close()
	i.succeeds(server.URL+"/"+tarballName, "--prefix", i.prefix)
	i.succeeds("--uninstall", "--prefix", i.prefix)
	i.refuses("cannot be downloaded", server.URL+"/none.tar.gz")
	i.refuses("neither https nor on this machine", "http://192.0.2.1/"+tarballName)
	i.refuses("it has an @", "http://localhost:80@192.0.2.1/"+tarballName)
	i.refuses("has a query", server.URL+"/"+tarballName+"?token=1")
	redirect := httptest.NewServer(http.RedirectHandler(server.URL+"/"+tarballName, http.StatusFound))
	defer redirect.Close()
	i.refuses("cannot be downloaded", redirect.URL+"/"+tarballName, "--sha256", strings.Repeat("0", 64))
}
