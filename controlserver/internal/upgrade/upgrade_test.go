package upgrade

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/wording"
	"tidepool/protocol"
)

const tarballName = "tidepool-0.3.0-test-test.tar.gz"

// A stage has installed programs, which are scripts, and a directory for releases.
type stage struct {
	t        *testing.T
	bin      string
	releases string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, bin: filepath.Join(t.TempDir(), "my bin"), releases: t.TempDir()}
	if err := os.Mkdir(s.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range programNames() {
		if err := os.WriteFile(filepath.Join(s.bin, name), []byte(program(name, "0.2.0")), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.release(files("0.3.0")...)
	return s
}

// program is a script that prints a version as the programs do.
func program(name, version string) string {
	return "#!/bin/sh\necho '" + name + " " + version + " (commit 0123456789ab, build 1-2, go1.26 test/test)'\n"
}

type file struct{ name, text, link string }

func files(version string) []file {
	return []file{
		{"tidepool/README.md", "read me", ""},
		{"tidepool/bin/agent", program("agent", version), ""},
		{"tidepool/bin/agent-shell", "", "agent"},
		{"tidepool/bin/controlserver", program("controlserver", version), ""},
	}
}

func (s *stage) tarball() string { return filepath.Join(s.releases, tarballName) }

// release makes the tarball of a release and its checksums.
func (s *stage) release(files ...file) {
	s.t.Helper()
	var data bytes.Buffer
	compressed := gzip.NewWriter(&data)
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.text)), Typeflag: tar.TypeReg}
		if f.link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, f.link
		}
		if err := archive.WriteHeader(h); err != nil {
			s.t.Fatal(err)
		}
		if _, err := archive.Write([]byte(f.text)); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		s.t.Fatal(err)
	}
	if err := compressed.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.put(data.Bytes())
}

// put writes the bytes of the tarball, with a checksum that is right.
func (s *stage) put(data []byte) {
	s.t.Helper()
	sum := sha256.Sum256(data)
	sums := strings.Repeat("0", 64) + "  other.tar.gz\n" + hex.EncodeToString(sum[:]) + "  " + tarballName + "\n"
	for path, text := range map[string][]byte{s.tarball(): data, filepath.Join(s.releases, sumsName): []byte(sums)} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

// run upgrades, for a project without a daemon.
func (s *stage) run(c Upgrade) (string, error) {
	s.t.Helper()
	var out strings.Builder
	dir := s.t.TempDir()
	place := protocol.Place{Project: dir, Socket: filepath.Join(dir, protocol.StateDir, protocol.SocketName)}
	err := c.upgrade(s.t.Context(), s.bin, place, command.Build{Version: "0.2.0"}, command.Stdio{Out: &out})
	return out.String(), err
}

// unnamed makes a file that the list of checksums does not name, and returns its path.
func (s *stage) unnamed() string {
	file := filepath.Join(s.releases, "unnamed.tar.gz")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return file
}

// refuses checks that an upgrade fails with a reason and a hint, and that the programs are as before.
func (s *stage) refuses(want string, c Upgrade) {
	s.t.Helper()
	before := s.programs()
	_, err := s.run(c)
	if err == nil || !strings.Contains(err.Error(), want) || wording.HintOf(err) == "" {
		s.t.Errorf("upgrading from %s: %v, hint %q; want %q", c.From, err, wording.HintOf(err), want)
	}
	if after := s.programs(); after != before {
		s.t.Errorf("upgrading from %s fails and changes\n%s\nto\n%s", c.From, before, after)
	}
}

// programs describes the directory of the programs.
func (s *stage) programs() string {
	s.t.Helper()
	entries, err := os.ReadDir(s.bin)
	if err != nil {
		s.t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			s.t.Fatal(err)
		}
		data, _ := os.ReadFile(filepath.Join(s.bin, e.Name()))
		b.WriteString(e.Name() + " " + info.Mode().String() + " " + string(data))
	}
	return b.String()
}

func TestUpgrade(t *testing.T) {
	s := newStage(t)
	out, err := s.run(Upgrade{From: s.tarball()})
	if want := "upgraded 0.2.0 to 0.3.0, commit 0123456789ab in " + s.bin + "\n"; err != nil || !strings.HasPrefix(out, want) {
		t.Fatalf("%v\n%s\nwant %s", err, out, want)
	}
	want := "agent -rwxr-xr-x " + program("agent", "0.3.0") + "controlserver -rwxr-xr-x " + program("controlserver", "0.3.0")
	if got := s.programs(); got != want {
		t.Errorf("the directory has\n%s\nwant\n%s", got, want)
	}
	if out, err := s.run(Upgrade{From: s.tarball()}); err != nil || !strings.Contains(out, "is installed already") {
		t.Errorf("upgrading again: %v\n%s", err, out)
	}
}

func TestUpgradeChecksTheTarball(t *testing.T) {
	s := newStage(t)
	zeros := strings.Repeat("0", 64)
	s.refuses(", not "+zeros, Upgrade{From: s.tarball(), SHA256: zeros})
	s.refuses("there is no file", Upgrade{From: filepath.Join(s.releases, "none"), SHA256: zeros})
	s.refuses("is no file", Upgrade{From: s.releases, SHA256: zeros})
	s.refuses("there is no file "+filepath.Join(s.releases, "none"), Upgrade{From: filepath.Join(s.releases, "none")})
	s.refuses("SHA256SUMS does not name "+filepath.Base(s.unnamed()), Upgrade{From: s.unnamed()})

	whole, err := os.ReadFile(s.tarball())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 5, len(whole) / 2, len(whole) - 1} {
		s.put(whole[:n])
		s.refuses("the tarball cannot be read", Upgrade{From: s.tarball()})
	}
	s.put([]byte("no tarball at all"))
	s.refuses("the tarball cannot be read", Upgrade{From: s.tarball()})

	s.release(files("0.3.0")[:3]...)
	s.refuses("there is no bin/controlserver", Upgrade{From: s.tarball()})
	s.release(append(files("0.3.0")[:1], file{"tidepool/bin/agent", "", "/bin/sh"}, files("0.3.0")[3])...)
	s.refuses("there is no bin/agent", Upgrade{From: s.tarball()})
	s.release(append(files("0.3.0")[3:], file{"../bin/../agent", "mine", ""}, file{"/bin/agent/x", "mine", ""})...)
	s.refuses("there is no bin/agent", Upgrade{From: s.tarball()})
	s.release(files("0.3.0")[1], files("0.4.0")[3])
	s.refuses("do not belong together", Upgrade{From: s.tarball()})
	s.release(files("0.3.0")[1], file{"t/bin/controlserver", "#!/bin/sh\nexit 3\n", ""})
	s.refuses("the new controlserver does not run on this machine: exit status 3", Upgrade{From: s.tarball()})
	s.release(files("0.3.0")[1], file{"t/bin/controlserver", "\x7fELF of another machine", ""})
	s.refuses("does not run on this machine", Upgrade{From: s.tarball()})
	if err := os.Remove(filepath.Join(s.releases, sumsName)); err != nil {
		t.Fatal(err)
	}
	s.refuses("there is no file", Upgrade{From: s.tarball()})
}

func TestUpgradeChecksTheInstallation(t *testing.T) {
	s := newStage(t)
	held, err := open(s.bin)
	if err != nil {
		t.Fatal(err)
	}
	s.refuses("another upgrade is at work", Upgrade{From: s.tarball()})
	held.close()

	agent, away := filepath.Join(s.bin, agentName), filepath.Join(s.releases, "agent")
	if err := os.Rename(agent, away); err != nil {
		t.Fatal(err)
	}
	s.refuses("agent is not there, or is no file", Upgrade{From: s.tarball()})
	if err := os.Symlink(away, agent); err != nil {
		t.Fatal(err)
	}
	s.refuses("agent is not there, or is no file", Upgrade{From: s.tarball()})

	list := filepath.Join(s.releases, "list")
	if err := os.WriteFile(list, []byte("/usr/bin\n"+agent+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := refuseManaged(s.bin, list); err == nil || !strings.Contains(wording.HintOf(err), "apt install") {
		t.Errorf("programs of a Debian package: %v", err)
	}
	if err := refuseManaged(s.releases, list); err != nil {
		t.Errorf("programs beside a Debian package: %v", err)
	}
}

// If the second program cannot be replaced, the first one is put back. What a killed upgrade has left is removed by the next one.
func TestReplaceGoesBack(t *testing.T) {
	s := newStage(t)
	before := s.programs()
	if err := os.WriteFile(filepath.Join(s.bin, temporary("new-agent")), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	i, err := open(s.bin)
	if err != nil {
		t.Fatal(err)
	}
	defer i.close()
	fresh, err := i.unpack(s.tarball())
	if err != nil {
		t.Fatal(err)
	}
	if err := i.root.Remove(fresh[agentName]); err != nil {
		t.Fatal(err)
	}
	if err := i.replace(fresh); err == nil || wording.HintOf(err) == "" {
		t.Errorf("replacing by a file that is gone: %v", err)
	}
	i.discard(fresh)
	if after := s.programs(); after != before {
		t.Errorf("the directory has become\n%s\nfrom\n%s", after, before)
	}
}

func TestUpgradeFromAURL(t *testing.T) {
	s := newStage(t)
	server := httptest.NewServer(http.FileServer(http.Dir(s.releases)))
	defer server.Close()
	redirect := httptest.NewServer(http.RedirectHandler(server.URL+"/"+tarballName, http.StatusFound))
	defer redirect.Close()
	zeros := strings.Repeat("0", 64)
	s.refuses("to a URL that is not https", Upgrade{From: redirect.URL + "/" + tarballName, SHA256: zeros})
	s.refuses("the server answers 404", Upgrade{From: server.URL + "/none.tar.gz", SHA256: zeros})
	s.refuses(", not "+zeros, Upgrade{From: server.URL + "/" + tarballName, SHA256: zeros})
	for from, want := range map[string]string{
		"http://192.0.2.1/" + tarballName:             "neither https nor on this machine",
		"http://localhost.example/" + tarballName:     "neither https nor on this machine",
		"ftp://localhost/" + tarballName:              "neither https nor on this machine",
		"file:///tmp/" + tarballName:                  "neither https nor on this machine",
		"http://localhost:1@192.0.2.1/" + tarballName: "a user",
		server.URL + "/" + tarballName + "?token=1":   "a query",
		"http://[::1/" + tarballName:                  "cannot be read",
	} {
		s.refuses(want, Upgrade{From: from, SHA256: zeros})
	}
	from, err := newOrigin(server.URL + "/" + tarballName)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := from.copyTo(t.Context(), filepath.Join(t.TempDir(), "a"), 100); err == nil || !strings.Contains(err.Error(), "more than 100 bytes") {
		t.Errorf("a tarball that is too large: %v", err)
	}
	if out, err := s.run(Upgrade{From: server.URL + "/" + tarballName}); err != nil || !strings.HasPrefix(out, "upgraded 0.2.0 to 0.3.0") {
		t.Errorf("upgrading from a URL: %v\n%s", err, out)
	}
}
