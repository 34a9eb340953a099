package clang

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// The shards that clangd 14 made of two files, and by which hash later versions name them.
func TestShardOf(t *testing.T) {
	hash := namings()[0]
	for path, want := range map[string]string{
		"/tmp/shard/x.c": "x.c.9130990B329C9967.idx",
		"/tmp/shard/.tidepool/clangd/sources/tidepool-blank.c": "tidepool-blank.c.9773D4968690174B.idx",
	} {
		if got := hash.shardOf(path); got != want {
			t.Errorf("of %s: %s, want %s", path, got, want)
		}
	}
	if got, want := namings()[1].shardOf(""), "..C294D3380580062D.idx"; got != want { // XXH3 of nothing is 2D06800538D394C2
		t.Errorf("%s, want %s", got, want)
	}
}

// Of two files with one base name one may be unread, whichever version has named the shards.
func TestUnread(t *testing.T) {
	unknown := func(path string) uint64 { return uint64(len(path)) }
	for i, hash := range append(namings(), unknown) {
		d := store{t.TempDir()}
		if err := os.MkdirAll(d.shards(), 0o700); err != nil {
			t.Fatal(err)
		}
		shard := func(path, text string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(d.shards(), naming(hash).shardOf(path)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		shard(d.blankSource(), "blank")
		shard("/p/a/x.h", "index")
		shard("/p/b/y.h", "blank")
		shard("/p/bb/y.h", "index")
		shard("/p/z.h", "index")
		paths := map[string]compileCommand{"/p/a/x.h": {}, "/p/bb/x.h": {}, "/p/b/y.h": {}, "/p/bb/y.h": {}, "/p/z.h": {}, "/p/w.h": {}}
		want := map[string]bool{"/p/a/x.h": false, "/p/bb/x.h": true, "/p/b/y.h": true, "/p/bb/y.h": false, "/p/z.h": false, "/p/w.h": true}
		if i == len(namings()) { // nobody knows of which path a shard is
			want["/p/a/x.h"], want["/p/bb/y.h"] = true, true
		}
		if got := d.unread(paths); !maps.Equal(got, want) {
			t.Errorf("naming %d: %v, want %v", i, got, want)
		}
	}
}
