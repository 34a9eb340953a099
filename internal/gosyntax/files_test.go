package gosyntax

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func write(t *testing.T, path, src string, changed time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, changed, changed); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, files *Files, path string) *File {
	t.Helper()
	f, err := files.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFilesParseWhatChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var files Files
	write(t, path, "package a\n", day)
	first := open(t, &files, path)
	if open(t, &files, path) != first {
		t.Error("an unchanged file was parsed again")
	}
	write(t, path, "package b\n", day.Add(time.Second))
	if got := open(t, &files, path); got.Package != "b" {
		t.Errorf("package %s after the time changed", got.Package)
	}
	write(t, path, "package ccc\n", day.Add(time.Second))
	if got := open(t, &files, path); got.Package != "ccc" {
		t.Errorf("package %s after the size changed", got.Package)
	}
	if _, err := files.Open(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
}

func TestFilesAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	write(t, path, "package a\n", time.Unix(1, 0))
	var files Files
	open(t, &files, path)
	files.keep("b.go", &kept{size: maxCached / 2})
	open(t, &files, path)
	files.keep("c.go", &kept{size: maxCached / 2})
	if files.bytes > maxCached || len(files.kept) != 2 {
		t.Errorf("%d files with %d bytes are kept", len(files.kept), files.bytes)
	}
	if files.kept[path] == nil || files.kept["b.go"] != nil {
		t.Error("the file used again was dropped before an older one")
	}
	files.keep("d.go", &kept{size: maxCached})
	if len(files.kept) != 2 {
		t.Errorf("a huge file leaves %d others", len(files.kept))
	}
}

func TestPackage(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{
		"a.go": "package a", "b.go": "package a", "b_test.go": "package a", "x_test.go": "package a_test",
		"c_plan9.go": "package a", "d.go": "//go:build ignore\n\npackage main", "e.txt": "package a", "f.go": "package other",
	} {
		write(t, filepath.Join(dir, name), src+"\n", time.Unix(1, 0))
	}
	var files Files
	for of, want := range map[string]string{"a.go": "a.go b.go", "b_test.go": "a.go b.go b_test.go", "x_test.go": "x_test.go", "none.go": ""} {
		var got []string
		for _, f := range files.Read().Package(filepath.Join(dir, of)) {
			got = append(got, filepath.Base(f.Path))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with %s: %v, want %s", of, got, want)
		}
	}
}

func TestFilesConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	write(t, path, "package a\nfunc F() { F() }\n", time.Unix(1, 0))
	var files Files
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			f, err := files.Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			if use, _ := f.Use(Position{2, 12}); use.Enclosing != "F" {
				t.Errorf("got %+v", use)
			}
		})
	}
	wg.Wait()
}

func TestReadingLooksOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.go")
	write(t, path, "package a\n", time.Unix(1, 0))
	var files Files
	reading := files.Read()
	first, err := reading.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "package b\n", time.Unix(2, 0))
	if again, err := reading.Open(path); err != nil || again != first {
		t.Errorf("looked again: %v", err)
	}
	if next, err := files.Read().Open(path); err != nil || next.Package != "b" {
		t.Errorf("the next reading sees the old file: %v", err)
	}
}
