package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A clangStore is the directory that a clangd keeps its index in: one shard for each source file, named
// "file.h.<hash of its path>.idx". It lies in the project's .tidepool, or, where there is none, in the user's cache.
type clangStore struct{ dir string }

// Names in the store besides clangd's own.
const (
	blankName = "tidepool-blank.c" // an empty source file, whose shard is that of a file without anything in it
	againName = "tidepool-again-"  // sources that only include another one
)

// openClangStore prepares the store of a tree. What servers that were killed have left is removed.
func openClangStore(root string, env []string) (clangStore, error) {
	top := filepath.Join(root, ".tidepool")
	if info, err := os.Stat(top); err != nil || !info.IsDir() {
		top = filepath.Join(clangCache(env), fmt.Sprintf("%016x", clangSum(root)))
	}
	d := clangStore{filepath.Join(top, "clangd")}
	if err := errors.Join(os.RemoveAll(d.sources()), os.MkdirAll(d.sources(), 0o700)); err != nil {
		return d, err
	}
	d.remove(func(source string) bool { return strings.HasPrefix(source, againName) })
	return d, os.WriteFile(d.blankSource(), nil, 0o600)
}

func clangCache(env []string) string {
	cache := getenv(env, "XDG_CACHE_HOME")
	if cache == "" {
		cache = filepath.Join(getenv(env, "HOME"), ".cache")
	}
	return filepath.Join(cache, "tidepool")
}

// environ makes clangd use the store.
func (d clangStore) environ(env []string) []string {
	return []string{
		"XDG_CACHE_HOME=" + filepath.Dir(d.dir),
		"CLANGD_FLAGS=" + strings.TrimSpace(getenv(env, "CLANGD_FLAGS")+" "+clangFlags()),
	}
}

func (d clangStore) sources() string     { return filepath.Join(d.dir, "sources") }
func (d clangStore) blankSource() string { return filepath.Join(d.sources(), blankName) }
func (d clangStore) shards() string      { return filepath.Join(d.dir, "index") }
func (d clangStore) recordFile() string  { return filepath.Join(d.dir, "read.json") }

// again writes a source file of a language that includes another one.
func (d clangStore) again(n int, path, language string) (string, error) {
	ext := ".c"
	if language == "c++" {
		ext = ".cpp"
	}
	made := filepath.Join(d.sources(), fmt.Sprintf("%s%d%s", againName, n, ext))
	return made, os.WriteFile(made, fmt.Appendf(nil, "#include \"%s\"\n", filepath.ToSlash(path)), 0o600)
}

// each calls visit for every shard with the base name of the source file that it is of.
func (d clangStore) each(visit func(path, source string)) {
	entries, _ := os.ReadDir(d.shards())
	for _, entry := range entries {
		source, isShard := strings.CutSuffix(entry.Name(), ".idx")
		if at := strings.LastIndexByte(source, '.'); isShard && at >= 0 {
			visit(filepath.Join(d.shards(), entry.Name()), source[:at])
		}
	}
}

// remove deletes the shards of sources with these base names.
func (d clangStore) remove(of func(source string) bool) {
	d.each(func(path, source string) {
		if of(source) {
			os.Remove(path)
		}
	})
}

// blank puts the shard of an empty file in the place of those of these sources, so that clangd believes, once it loads
// them, that they hold nothing and have changed since. Others of the same base name are blanked with them.
func (d clangStore) blank(sources map[string]bool) error {
	empty, err := d.empty()
	if err != nil {
		return err
	}
	var failed error
	d.each(func(path, source string) {
		if sources[source] {
			failed = errors.Join(failed, os.WriteFile(path, empty, 0o600))
		}
	})
	return failed
}

func (d clangStore) empty() ([]byte, error) {
	found, _ := filepath.Glob(filepath.Join(d.shards(), blankName+".*.idx"))
	if len(found) == 0 {
		return nil, errors.New("clangd does not keep its index in " + d.shards())
	}
	return os.ReadFile(found[0])
}

// unread are the base names of sources without a shard, or with one that is still blank.
func (d clangStore) unread(sources map[string]bool) map[string]bool {
	empty, _ := d.empty()
	unread := map[string]bool{}
	for source := range sources {
		unread[source] = true
	}
	blanks := map[string]bool{}
	d.each(func(path, source string) {
		delete(unread, source)
		if info, err := os.Stat(path); sources[source] && err == nil && info.Size() == int64(len(empty)) {
			if data, err := os.ReadFile(path); err == nil && string(data) == string(empty) {
				blanks[source] = true
			}
		}
	})
	for source := range blanks {
		unread[source] = true
	}
	return unread
}

// records are what the sources and all that they include were like when they were last read, by path.
func (d clangStore) records() map[string]string {
	var kept map[string]string
	data, err := os.ReadFile(d.recordFile())
	if err != nil || json.Unmarshal(data, &kept) != nil || kept == nil {
		return map[string]string{}
	}
	return kept
}

// record keeps them for the next session.
func (d clangStore) record(records map[string]string) error {
	data, err := json.Marshal(records)
	if err != nil {
		return err
	}
	next := d.recordFile() + ".next"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return err
	}
	return os.Rename(next, d.recordFile())
}

// clangSum is a sum that is the same in every process.
func clangSum(text string) uint64 {
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
