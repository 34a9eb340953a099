package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// at is the time of the commit in these tests.
func at() time.Time { return time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC) }

// fakes are the entries of a tarball whose programs are scripts.
func fakes(version string) []entry {
	program := func(name string) []byte {
		return []byte("#!/bin/sh\necho '" + name + " " + version + " (commit 0123456789ab, build 1-2, go1.26 test/test)'\n")
	}
	return []entry{
		{name: "install.sh", mode: 0o755, data: []byte("#!/bin/sh\n")},
		{name: "bin/controlserver", mode: 0o755, data: program("controlserver")},
		{name: "bin/agent-shell", mode: 0o777, link: "agent"},
		{name: "bin/agent", mode: 0o755, data: program("agent")},
		{name: "share/man/man1/agent.1", mode: 0o644, data: []byte(".TH AGENT 1\n")},
		{name: "LICENSE", mode: 0o644, data: []byte("MIT\n")},
	}
}

// The same entries give the same bytes, in whatever order they come and whenever; another entry gives others.
func TestTarballIsReproducible(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, entries []entry) string {
		path := filepath.Join(dir, name)
		if err := writeTarball(path, "tidepool-0.2.0-linux-amd64", entries, at()); err != nil {
			t.Fatal(err)
		}
		sum, err := sumOf(path)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	reversed := fakes("0.2.0")
	slices.Reverse(reversed)
	first, second, other := write("first", fakes("0.2.0")), write("second", reversed), write("other", fakes("0.2.1"))
	if first != second || first == other {
		t.Errorf("the same entries give %s and %s, others %s", first, second, other)
	}
}

func TestTarballTellsNothingOfItsMaker(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.tar.gz")
	if err := writeTarball(path, "top", fakes("0.2.0"), at()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	compressed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !compressed.ModTime.IsZero() || compressed.Name != "" {
		t.Errorf("gzip tells %v, %q", compressed.ModTime, compressed.Name)
	}
	var names []string
	for archive := tar.NewReader(compressed); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" || !h.ModTime.Equal(at()) {
			t.Errorf("%s tells of %d:%d %q:%q at %v", h.Name, h.Uid, h.Gid, h.Uname, h.Gname, h.ModTime)
		}
	}
	want := "top/ top/LICENSE top/bin/ top/bin/agent top/bin/agent-shell top/bin/controlserver top/install.sh top/share/ top/share/man/ top/share/man/man1/ top/share/man/man1/agent.1"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the entries are\n%s\nwant\n%s", got, want)
	}
}

func TestSums(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"tidepool-b", "tidepool-a"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("abc"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time the list itself is there
		if err := writeSums(dir); err != nil {
			t.Fatal(err)
		}
	}
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	got, err := os.ReadFile(filepath.Join(dir, sumsName))
	if want := abc + "  tidepool-a\n" + abc + "  tidepool-b\n"; err != nil || string(got) != want {
		t.Errorf("the checksums are %q (%v), want %q", got, err, want)
	}
}

// A directory with something of another maker is not emptied.
func TestEmptyDirectoryKeepsWhatIsForeign(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{sumsName, "tidepool-0.1.0.tar.gz"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := emptyDirectory(dir); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left are %v (%v)", left, err)
	}
	mine := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := emptyDirectory(dir); err == nil || !strings.Contains(err.Error(), "name another directory") {
		t.Errorf("emptying a directory with a file of another maker: %v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

func TestDebConfig(t *testing.T) {
	src := &source{version: "0.2.0", time: at()}
	entries := append(fakes("0.2.0"), entry{name: "share/zsh/site-functions/_agent", mode: 0o644}, entry{name: "lib/tidepool/install.sh", mode: 0o755})
	config := src.debConfig(target{"linux", "arm64"}, entries, "/tree")
	if config.Arch != "arm64" || config.Version != "0.2.0" || !config.Mtime.Equal(at()) {
		t.Errorf("the package is %+v", config)
	}
	var got []string
	for _, c := range config.Contents {
		if c.FileInfo.Owner != "root" || !c.FileInfo.Mtime.Equal(at()) {
			t.Errorf("%s is %+v", c.Dst, c.FileInfo)
		}
		got = append(got, c.Src+" "+c.Dst)
	}
	want := []string{
		"/tree/LICENSE /usr/share/doc/tidepool/copyright",
		"/tree/bin/agent /usr/bin/agent",
		"agent /usr/bin/agent-shell",
		"/tree/bin/controlserver /usr/bin/controlserver",
		"/tree/share/man/man1/agent.1 /usr/share/man/man1/agent.1",
		"/tree/share/zsh/site-functions/_agent /usr/share/zsh/vendor-completions/_agent",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the contents are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := json.Marshal(config); err != nil {
		t.Error(err)
	}
}

func TestChooseTargets(t *testing.T) {
	if chosen, err := chooseTargets("darwin/arm64,linux/amd64"); err != nil || !slices.Equal(chosen, []target{{"darwin", "arm64"}, {"linux", "amd64"}}) {
		t.Errorf("chosen are %v (%v)", chosen, err)
	}
	if _, err := chooseTargets("linux/amd64,plan9/mips"); err == nil || !strings.Contains(err.Error(), "the targets are linux/amd64, ") {
		t.Errorf("an unknown target: %v", err)
	}
}
