package wasmtest

import (
	"io"
	"io/fs"
	"testing"

	"github.com/tetratelabs/wazero/experimental/sys"
)

// opened opens a file in memory, or ends the test.
func opened(t *testing.T, m *memory, path string, flag sys.Oflag) sys.File {
	t.Helper()
	f, errno := m.OpenFile(path, flag, 0o600)
	if errno != 0 {
		t.Fatalf("%s: %v", path, errno)
	}
	return f
}

func newTestMemory(room int64) (*memory, *int64) {
	return newMemory(&room, func() int64 { return 1 }), &room
}

func TestMemoryErrors(t *testing.T) {
	m, _ := newTestMemory(1 << 20)
	for _, errno := range []sys.Errno{m.Mkdir("dir", 0o700), m.Mkdir("dir/sub", 0o700), m.Mkdir("empty", 0o700)} {
		if errno != 0 {
			t.Fatal(errno)
		}
	}
	opened(t, m, "file", sys.O_CREAT|sys.O_RDWR).Close()
	open := func(path string, flag sys.Oflag) sys.Errno {
		_, errno := m.OpenFile(path, flag, 0o600)
		return errno
	}
	for name, test := range map[string]struct{ got, want sys.Errno }{
		"open what is not there":         {open("none", sys.O_RDONLY), sys.ENOENT},
		"make what is there":             {open("file", sys.O_CREAT|sys.O_EXCL|sys.O_RDWR), sys.EEXIST},
		"make below a file":              {open("file/sub", sys.O_CREAT|sys.O_RDWR), sys.ENOTDIR},
		"make below nothing":             {open("none/sub", sys.O_CREAT|sys.O_RDWR), sys.ENOENT},
		"write a directory":              {open("dir", sys.O_RDWR), sys.EISDIR},
		"take a file for a directory":    {open("file", sys.O_DIRECTORY), sys.ENOTDIR},
		"make a directory that is there": {m.Mkdir("dir", 0o700), sys.EEXIST},
		"make the root":                  {m.Mkdir(".", 0o700), sys.EINVAL},
		"unlink a directory":             {m.Unlink("empty"), sys.EISDIR},
		"remove a file as a directory":   {m.Rmdir("file"), sys.ENOTDIR},
		"remove a full directory":        {m.Rmdir("dir"), sys.ENOTEMPTY},
		"remove the root":                {m.Rmdir("."), sys.ENOTEMPTY},
		"rename what is not there":       {m.Rename("none", "other"), sys.ENOENT},
		"rename into itself":             {m.Rename("dir", "dir/sub/dir"), sys.EINVAL},
		"rename over a full directory":   {m.Rename("empty", "dir"), sys.ENOTEMPTY},
		"rename a file over a directory": {m.Rename("file", "empty"), sys.EISDIR},
		"rename a directory over a file": {m.Rename("empty", "file"), sys.ENOTDIR},
		"rename to itself":               {m.Rename("file", "file"), 0},
		"link":                           {m.Link("file", "link"), sys.ENOSYS},
		"link softly":                    {m.Symlink("file", "link"), sys.ENOSYS},
	} {
		if test.got != test.want {
			t.Errorf("%s: %v, want %v", name, test.got, test.want)
		}
	}
}

func TestMemoryRoom(t *testing.T) {
	m, room := newTestMemory(20 << 20)
	before := *room
	f := opened(t, m, "file", sys.O_CREAT|sys.O_RDWR)
	if n, errno := f.Write(make([]byte, 10<<20)); errno != 0 || n != 10<<20 {
		t.Fatal(n, errno)
	}
	if _, errno := f.Write(make([]byte, 7<<20)); errno != sys.EIO {
		t.Errorf("beyond the limit of a file: %v", errno)
	}
	g := opened(t, m, "other", sys.O_CREAT|sys.O_WRONLY)
	if _, errno := g.Write(make([]byte, 11<<20)); errno != sys.EIO {
		t.Errorf("beyond the room: %v", errno)
	}
	if errno := f.Truncate(1 << 20); errno != 0 || *room < 18<<20 {
		t.Errorf("%v, room for %d", errno, *room)
	}
	if errno := m.Unlink("file"); errno != 0 {
		t.Error(errno)
	}
	if *room > 19<<20 {
		t.Error("the room of an open file was given away")
	}
	f.Close()
	f.Close()
	g.Close()
	if errno := m.Rename("other", "last"); errno != 0 || m.Unlink("last") != 0 || *room != before {
		t.Errorf("%v, room for %d, before %d", errno, *room, before)
	}
	opened(t, m, "a", sys.O_CREAT|sys.O_RDWR).Close()
	opened(t, m, "b", sys.O_CREAT|sys.O_RDWR).Close()
	if m.Rename("a", "b") != 0 || m.Unlink("b") != 0 || *room != before {
		t.Errorf("after a rename over a file room for %d, before %d", *room, before)
	}
	for made := 0; ; made++ {
		if _, errno := m.OpenFile(string(rune('a'+made)), sys.O_CREAT|sys.O_RDWR, 0); errno != 0 {
			break
		}
		if made > 20<<20/nodeSize {
			t.Fatal("empty files take no room")
		}
	}
}

func TestMemoryHandle(t *testing.T) {
	m, _ := newTestMemory(1 << 20)
	f := opened(t, m, "file", sys.O_CREAT|sys.O_RDWR)
	f.Pwrite([]byte("sea"), 2)
	buf := make([]byte, 8)
	if n, errno := f.Read(buf); errno != 0 || string(buf[:n]) != "\x00\x00sea" {
		t.Errorf("%q, %v", buf[:n], errno)
	}
	for _, test := range []struct {
		offset int64
		whence int
		want   int64
		errno  sys.Errno
	}{
		{-1, io.SeekEnd, 4, 0}, {-1, io.SeekCurrent, 3, 0}, {9, io.SeekStart, 9, 0}, {-1, io.SeekStart, 0, sys.EINVAL},
		{0, 7, 0, sys.EINVAL}, {1<<63 - 1, io.SeekCurrent, 0, sys.EINVAL},
	} {
		if at, errno := f.Seek(test.offset, test.whence); at != test.want || errno != test.errno {
			t.Errorf("seek %d from %d: %d, %v", test.offset, test.whence, at, errno)
		}
	}
	if n, errno := f.Read(buf); n != 0 || errno != 0 {
		t.Errorf("at the end: %d, %v", n, errno)
	}
	readable := opened(t, m, "file", sys.O_RDONLY)
	if _, errno := readable.Write(buf); errno != sys.EBADF || readable.Truncate(0) != sys.EBADF {
		t.Errorf("writing what is open to be read: %v", errno)
	}
	writable := opened(t, m, "file", sys.O_WRONLY|sys.O_TRUNC)
	if _, errno := writable.Read(buf); errno != sys.EBADF {
		t.Errorf("reading what is open to be written: %v", errno)
	}
	if st, _ := f.Stat(); st.Size != 0 || st.Mode != 0o600 {
		t.Errorf("%+v", st)
	}
	dir := opened(t, m, ".", sys.O_RDONLY)
	for range 2 {
		list, errno := dir.Readdir(1)
		if errno != 0 || len(list) != 1 || list[0].Name != "file" || list[0].Type != 0 {
			t.Errorf("%v, %v", list, errno)
		}
		if rest, _ := dir.Readdir(0); len(rest) != 0 {
			t.Errorf("more than there is: %v", rest)
		}
		dir.Seek(0, io.SeekStart)
	}
	if is, _ := dir.IsDir(); !is || m.root.mode&fs.ModeDir == 0 {
		t.Error("the root is no directory")
	}
}
