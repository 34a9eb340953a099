package clang

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"tidepool/lsp/internal/clang/shard"
)

// Of two files with one base name one may be unread, whichever version has named the shards.
func TestUnread(t *testing.T) {
	unknown := func(path string) uint64 { return uint64(len(path)) }
	for i, hash := range append(shard.Namings(), unknown) {
		d := store{t.TempDir()}
		if err := os.MkdirAll(d.shards(), 0o700); err != nil {
			t.Fatal(err)
		}
		write := func(path, text string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(d.shards(), shard.Naming(hash).Of(path)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(d.blankSource(), "blank")
		write("/p/a/x.h", "index")
		write("/p/b/y.h", "blank")
		write("/p/bb/y.h", "index")
		write("/p/z.h", "index")
		paths := map[string]compileCommand{"/p/a/x.h": {}, "/p/bb/x.h": {}, "/p/b/y.h": {}, "/p/bb/y.h": {}, "/p/z.h": {}, "/p/w.h": {}}
		want := map[string]bool{"/p/a/x.h": false, "/p/bb/x.h": true, "/p/b/y.h": true, "/p/bb/y.h": false, "/p/z.h": false, "/p/w.h": true}
		if i == len(shard.Namings()) { // nobody knows of which path a shard is
			want["/p/a/x.h"], want["/p/bb/y.h"] = true, true
		}
		if got := d.unread(paths); !maps.Equal(got, want) {
			t.Errorf("naming %d: %v, want %v", i, got, want)
		}
	}
}
