package clang

import (
	"errors"
	"fmt"
	"path/filepath"

	statedir "tidepool/internal/state"
	"tidepool/lsp/internal/clang/shard"
)

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
func (s shards) naming(source string) shard.Naming {
	for _, hash := range shard.Namings() {
		if _, there := s[hash.Of(source)]; there {
			return hash
		}
	}
	return nil
}

// read counts the shards with the base name of a source that are not those of an empty file.
func (s shards) read(base string) int {
	n := 0
	for name, blank := range s {
		if is := shardName.FindStringSubmatch(name); is[1] == base && !blank {
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
		blank, there := found[hash.Of(path)]
		unread[path] = !there || blank
	}
	return unread
}

// reached returns what clangd has loaded with some files: all that their shards lead to.
func (d store) reached(from map[string]compileCommand) (map[string]bool, error) {
	hash := d.shardsOf(map[string]bool{blankName: true}).naming(d.blankSource())
	if hash == nil {
		return nil, errors.New("how it names its shards is not known")
	}
	reached := map[string]bool{}
	var todo []string
	for path := range from {
		todo = append(todo, path)
	}
	dir, err := statedir.OpenDir(d.shards())
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	for len(todo) > 0 {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[path] {
			continue
		}
		reached[path] = true
		data, err := dir.File(hash.Of(path)).Read(maxShard)
		if err != nil {
			continue // there is none, and it leads nowhere
		}
		sources, err := shard.Sources(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		todo = append(todo, sources...)
	}
	return reached, nil
}
