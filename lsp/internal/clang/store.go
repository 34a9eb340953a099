package clang

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	statedir "tidepool/internal/state"
	"tidepool/lsp/internal/session"
)

// A store is the directory that a clangd keeps its index in: one shard for each source file, named
// "file.h.<hash of its path>.idx". It lies in the project's .tidepool, or, where there is none, in the user's cache. clangd
// is given its path, once it is known to lead to no other place; all that we do in it goes through package state.
type store struct{ dir string }

// Names in the store besides clangd's own.
const (
	blankName   = "tidepool-blank.c"  // an empty source file, whose shard is that of a file without anything in it
	againName   = "tidepool-again-"   // sources that only include another one
	missingName = "tidepool-missing-" // sources that there are not
	markerName  = "tidepool-marker-"  // headers that documents include
)

// shardName matches the name of a shard: that of its source file, and the hash of its path.
var shardName = regexp.MustCompile(`^(.+)\.[0-9A-Fa-f]{16}\.idx$`)

// maxShard bounds a shard that is read, in bytes, and maxRead the file of records.
const (
	maxShard = 64 << 20
	maxRead  = 256 << 20
)

// openClangStore prepares the store of a tree. What servers that were killed have left is removed.
func openClangStore(root string, env []string) (store, error) {
	top := statedir.Of(root)
	if _, err := os.Lstat(top); err != nil {
		top = filepath.Join(cache(env), fmt.Sprintf("%016x", checksum(root)))
		if err := os.MkdirAll(top, 0o700); err != nil {
			return store{}, err
		}
	}
	d := store{filepath.Join(top, "clangd")}
	if err := errors.Join(d.lasting(d.dir), d.lasting(d.shards()), d.lasting(d.sources()), d.forgetSources()); err != nil {
		return d, err
	}
	d.remove(func(source string) bool { return strings.HasPrefix(source, againName) })
	return d, errors.Join(d.replace(d.blankSource(), nil), d.writeCommands(nil))
}

// isOurs reports whether a file lies in the state directory of a tree.
func isOurs(root, path string) bool {
	return strings.HasPrefix(path, statedir.Of(root)+string(filepath.Separator))
}

// lasting makes a directory and returns why its path cannot be given to clangd, if so.
func (d store) lasting(path string) error {
	dir, err := statedir.OpenDir(path)
	if err != nil {
		return err
	}
	_, err = dir.Lasting()
	return errors.Join(err, dir.Close())
}

// forgetSources removes the source files of ours that were left.
func (d store) forgetSources() error {
	return d.list(d.sources(), func(f *statedir.File) error {
		if f.Name() == blankName || strings.HasPrefix(f.Name(), againName) || strings.HasPrefix(f.Name(), markerName) {
			return f.Remove()
		}
		return nil
	})
}

// list calls visit for all that is in a directory of the store.
func (d store) list(path string, visit func(f *statedir.File) error) error {
	dir, err := statedir.OpenDir(path)
	if err != nil {
		return err
	}
	entries, failed := dir.List()
	for _, info := range entries {
		failed = errors.Join(failed, visit(dir.File(info.Name())))
	}
	return errors.Join(failed, dir.Close())
}

func (d store) replace(path string, data []byte) error {
	return statedir.Within(path, func(f *statedir.File) error { return f.Replace(data) })
}

func (d store) read(path string, limit int64) (data []byte, err error) {
	err = statedir.Within(path, func(f *statedir.File) error {
		data, err = f.Read(limit)
		return err
	})
	return data, err
}

func cache(env []string) string {
	cache := session.Getenv(env, "XDG_CACHE_HOME")
	if cache == "" {
		cache = filepath.Join(session.Getenv(env, "HOME"), ".cache")
	}
	return filepath.Join(cache, "tidepool")
}

// environ makes clangd use the store. more are further flags, each with a space before it.
func (d store) environ(env []string, more string) []string {
	return []string{
		"XDG_CACHE_HOME=" + filepath.Join(d.dir, ".cache"),
		"CLANGD_FLAGS=" + strings.TrimSpace(session.Getenv(env, "CLANGD_FLAGS")+" "+flags()+more),
	}
}

func (d store) sources() string     { return filepath.Join(d.dir, "sources") }
func (d store) blankSource() string { return filepath.Join(d.sources(), blankName) }
func (d store) shards() string      { return filepath.Join(d.dir, ".cache", "clangd", "index") }
func (d store) recordFile() string  { return filepath.Join(d.dir, "read.json") }

// again writes a source file of a language that includes another one.
func (d store) again(n int, path, language string) (string, error) {
	ext := ".c"
	if language == "c++" {
		ext = ".cpp"
	}
	made := filepath.Join(d.sources(), fmt.Sprintf("%s%d%s", againName, n, ext))
	return made, d.replace(made, fmt.Appendf(nil, "#include \"%s\"\n", filepath.ToSlash(path)))
}

// each calls visit for every shard with the base name of the source file that it is of.
func (d store) each(visit func(f *statedir.File, source string) error) error {
	return d.list(d.shards(), func(f *statedir.File) error {
		if is := shardName.FindStringSubmatch(f.Name()); is != nil {
			return visit(f, is[1])
		}
		return nil
	})
}

// size returns how many bytes are kept.
func (d store) size() (bytes int64) {
	_ = d.each(func(f *statedir.File, _ string) error { // what is gone has no size
		if info, err := f.Stat(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// remove deletes the shards of sources with these base names.
func (d store) remove(of func(source string) bool) {
	_ = d.each(func(f *statedir.File, source string) error { // what stays is read again
		if of(source) {
			return f.Remove()
		}
		return nil
	})
}

// blank puts the shard of an empty file in the place of those of these sources, so that clangd believes, once it loads
// them, that they hold nothing and have changed since. Others of the same base name are blanked with them.
func (d store) blank(sources map[string]bool) error {
	empty, err := d.empty()
	if err != nil {
		return err
	}
	return d.each(func(f *statedir.File, source string) error {
		if sources[source] {
			return f.Replace(empty)
		}
		return nil
	})
}

func (d store) empty() (empty []byte, err error) {
	found := false
	err = d.each(func(f *statedir.File, source string) (err error) {
		if source == blankName && !found {
			found = true
			empty, err = f.Read(maxShard)
		}
		return err
	})
	if err == nil && !found {
		err = errors.New("clangd does not keep its index in " + d.shards())
	}
	return empty, err
}

// records returns what the sources and all that they include were like when they were last read, by path.
func (d store) records() map[string]string {
	var kept map[string]string
	data, err := d.read(d.recordFile(), maxRead)
	if err != nil || json.Unmarshal(data, &kept) != nil || kept == nil {
		return map[string]string{}
	}
	return kept
}

// record keeps them for the next session.
func (d store) record(records map[string]string) error {
	data, err := json.Marshal(records)
	if err != nil {
		return err
	}
	return d.replace(d.recordFile(), data)
}

// checksum returns a sum that is the same in every process.
func checksum(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// modified is when a file was last written, the zero time if it is not there.
func modified(path string) time.Time {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
