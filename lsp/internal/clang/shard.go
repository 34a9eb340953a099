package clang

import (
	"encoding/binary"
	"fmt"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
	"github.com/zeebo/xxh3"

	statedir "tidepool/internal/state"
)

// A naming is the hash of a file's path by which a clangd names its shard.
type naming func(path string) uint64

// namings are those of clangd up to version 16 and since.
func namings() []naming { return []naming{xxhash.Sum64String, xxh3.HashString} }

// shardOf returns the name of the shard of a file.
func (hash naming) shardOf(path string) string {
	var sum [8]byte
	binary.LittleEndian.PutUint64(sum[:], hash(path))
	return fmt.Sprintf("%s.%X.idx", filepath.Base(path), sum)
}

// shards are the names of those in a store, each with whether it is that of an empty file.
type shards map[string]bool

// shardsOf lists the shards of sources with these base names.
func (d store) shardsOf(bases map[string]bool) shards {
	empty, _ := d.empty()
	all := shards{}
	_ = d.each(func(f *statedir.File, source string) error { // without shards all are unread
		if !bases[source] {
			return nil
		}
		all[f.Name()] = false
		if info, err := f.Stat(); err == nil && info.Size() == int64(len(empty)) {
			data, err := f.Read(maxShard)
			all[f.Name()] = err == nil && string(data) == string(empty)
		}
		return nil
	})
	return all
}

// naming returns how the shards are named, as the one of a source tells; nil if none of the namings made it.
func (s shards) naming(source string) naming {
	for _, hash := range namings() {
		if _, there := s[hash.shardOf(source)]; there {
			return hash
		}
	}
	return nil
}

// read counts the shards with the base name of a source that are not those of an empty file.
func (s shards) read(base string) int {
	n := 0
	for name, blank := range s {
		if is := shard.FindStringSubmatch(name); is[1] == base && !blank {
			n++
		}
	}
	return n
}

// unread returns the sources, by their paths, without a shard, or with one that is still blank. Should the names of shards not say of
// which path they are, all sources of a base name count as unread of which fewer shards are there.
func (d store) unread(paths map[string]compileCommand) map[string]bool {
	bases := baseNames(paths)
	bases[blankName] = true
	found := d.shardsOf(bases)
	hash := found.naming(d.blankSource())
	sharing := map[string]int{}
	for path := range paths {
		sharing[filepath.Base(path)]++
	}
	unread := map[string]bool{}
	for path := range paths {
		base := filepath.Base(path)
		if hash == nil {
			unread[path] = found.read(base) < sharing[base]
			continue
		}
		blank, there := found[hash.shardOf(path)]
		unread[path] = !there || blank
	}
	return unread
}
