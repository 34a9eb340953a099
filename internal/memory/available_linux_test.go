package memory

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

// recorded returns the files of an archive below testdata.
func recorded(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return files
}

func TestAvailableIn(t *testing.T) {
	const inMeminfo = "MemAvailable of /proc/meminfo"
	for _, test := range []struct {
		name   string
		bytes  int64
		from   string
		doubts []string // a part of each
	}{
		{name: "plain", bytes: 20 << 30, from: inMeminfo},
		{name: "nested", bytes: 2 << 30, from: "/sys/fs/cgroup/work.slice/memory.max"},
		{name: "container", bytes: 4<<30 - 1<<30 + 256<<20, from: "/sys/fs/cgroup/memory.max"},
		{name: "foreign", bytes: 3 << 30, from: "/sys/fs/cgroup/memory.max"},
		{name: "version1", bytes: 2 << 30, from: "/sys/fs/cgroup/memory/memory.limit_in_bytes"},
		{name: "hybrid", bytes: 22974516 << 10, from: inMeminfo},
		{name: "full", bytes: 0, from: "/sys/fs/cgroup/full.scope/memory.max"},
		{name: "torn", bytes: 22974516 << 10, from: inMeminfo, doubts: []string{"memory.current does not say", `parsing "a lot"`}},
		{name: "unmounted", bytes: 22974516 << 10, from: inMeminfo, doubts: []string{"no cgroup file system"}},
	} {
		room, err := availableIn(recorded(t, test.name))
		if err != nil || room.Bytes != test.bytes || room.From != test.from || len(room.Doubts) != len(test.doubts) {
			t.Errorf("%s: %+v, %v; want %d from %s and %d doubts", test.name, room, err, test.bytes, test.from, len(test.doubts))
			continue
		}
		for i, part := range test.doubts {
			if !strings.Contains(room.Doubts[i], part) {
				t.Errorf("%s: doubt %q, want %q in it", test.name, room.Doubts[i], part)
			}
		}
	}
}

// memory.high bounds what memory.max does not, and the other way round.
func TestLimitsOfVersion2(t *testing.T) {
	files := recorded(t, "nested")
	const service = "sys/fs/cgroup/work.slice/agent.service"
	for file, want := range map[string]string{"memory.high": service + "/memory.high", "memory.max": service + "/memory.max"} {
		delete(files, service+"/memory.high")
		delete(files, service+"/memory.max")
		files[service+"/"+file] = &fstest.MapFile{Data: []byte("2147483648\n")}
		room, err := availableIn(files)
		if err != nil || room.From != "/"+want || room.Bytes != 512<<20 {
			t.Errorf("%s alone: %+v, %v", file, room, err)
		}
	}
}

// An unreadable or odd file is an error, and never a machine without memory.
func TestUnknownIsSaid(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"no file":      {},
		"an old Linux": {"proc/meminfo": {Data: []byte("MemTotal: 1024 kB\nMemFree: 512 kB\n")}},
		"no number":    {"proc/meminfo": {Data: []byte("MemAvailable: all kB\n")}},
	} {
		if room, err := availableIn(files); err == nil {
			t.Errorf("%s: %+v", name, room)
		}
	}
	alone := fstest.MapFS{"proc/meminfo": {Data: []byte("MemAvailable: 512 kB\n")}}
	if room, err := availableIn(alone); err != nil || room.Bytes != 512<<10 || room.Doubts != nil {
		t.Errorf("a kernel without control groups: %+v, %v", room, err)
	}
}

// This machine has some memory left: the test runs in it.
func TestAvailable(t *testing.T) {
	room, err := Available()
	if err != nil || room.Bytes < 1<<20 || room.From == "" || slices.Contains(room.Doubts, "") {
		t.Errorf("%+v, %v", room, err)
	}
	t.Logf("%+v", room)
}
