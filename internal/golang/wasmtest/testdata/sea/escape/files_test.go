package escape

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var t0 = time.Unix(1, 0)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(path, "file")
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("one ")
	f.WriteString("two")
	f.Seek(4, io.SeekStart)
	rest, err := io.ReadAll(f)
	if err != nil || string(rest) != "two" {
		t.Errorf("%q, %v", rest, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "c")); err != nil {
		t.Error(err)
	}
	list, err := os.ReadDir(filepath.Join(dir, "c", "b"))
	if err != nil || len(list) != 1 || list[0].Name() != "file" || list[0].IsDir() {
		t.Error(list, err)
	}
	if err := os.Chtimes(filepath.Join(dir, "c"), t0, t0); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "c")); err != nil || !info.ModTime().Equal(t0) || !info.IsDir() {
		t.Error(info, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "c")); err != nil {
		t.Error(err)
	}
}

func TestFills(t *testing.T) {
	chunk := bytes.Repeat([]byte("sea"), 1<<20)
	written := 0
	for i := range 100 {
		if os.WriteFile(filepath.Join("/tmp", string(rune('a'+i))), chunk, 0o600) == nil {
			written += len(chunk)
		}
	}
	if written == 0 || written > 64<<20 {
		t.Errorf("%d bytes", written)
	}
	f, err := os.Create("/tmp/sparse")
	if err != nil {
		t.Fatal(err)
	}
	if f.Truncate(1<<40) == nil {
		t.Error("a file of a terabyte")
	}
}
