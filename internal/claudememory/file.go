package claudememory

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Limits of what is read.
const (
	maxFiles = 256
	maxFile  = 256 << 10 // bytes
	maxAll   = 8 << 20   // bytes
	maxDepth = 4         // directories below a tree
	maxSeen  = 10_000    // entries of directories that are looked at
	maxNamed = 32        // files that are refused and named
)

// A File is a file of memory.
type File struct {
	Path string
	Kind Kind
	Text string
}

// A Skipped is a file or a directory that was not read.
type Skipped struct{ Path, Why string }

// A gathering reads the files of places, each once.
type gathering struct {
	files   []File
	skipped []Skipped
	more    int // files that were skipped and are not named
	bytes   int64
	looked  int // at entries of directories
	seen    map[string]bool
}

// gather reads all files of places.
func gather(places []place) *gathering {
	g := &gathering{seen: map[string]bool{}}
	for _, p := range places {
		g.place(p)
	}
	return g
}

func (g *gathering) skip(path, why string) {
	if len(g.skipped) >= maxNamed {
		g.more++
		return
	}
	g.skipped = append(g.skipped, Skipped{path, why})
}

// place reads the files of a directory. What is not there is no failure.
func (g *gathering) place(p place) {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			g.skip(p.dir, reason(err))
		}
		return
	}
	defer root.Close()
	for _, name := range p.files {
		if g.isDir(root, p, path.Dir(name)) {
			g.file(root, p, name)
		}
	}
	for _, tree := range p.trees {
		if g.isDir(root, p, tree) {
			g.tree(root, p, tree)
		}
	}
}

// isDir reports whether a path below a root is a directory that no link leads to.
func (g *gathering) isDir(root *os.Root, p place, name string) bool {
	for at := name; at != "."; at = path.Dir(at) {
		info, err := root.Lstat(at)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			g.link(filepath.Join(p.dir, at))
		}
		if err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// link notes a link, once.
func (g *gathering) link(path string) {
	if !g.seen[path] {
		g.seen[path] = true
		g.skip(path, "it is a link")
	}
}

// tree reads the Markdown files of a directory and those below it.
func (g *gathering) tree(root *os.Root, p place, tree string) {
	_ = fs.WalkDir(root.FS(), tree, func(name string, e fs.DirEntry, err error) error {
		g.looked++
		switch {
		case g.looked > maxSeen:
			g.skip(filepath.Join(p.dir, tree), fmt.Sprintf("only %d files are looked at", maxSeen))
			return fs.SkipAll
		case err != nil:
			if name != tree {
				g.skip(filepath.Join(p.dir, name), reason(err))
			}
			return fs.SkipDir
		case e.IsDir() && strings.Count(strings.TrimPrefix(name, tree), "/") > maxDepth:
			g.skip(filepath.Join(p.dir, name), "it is too deep")
			return fs.SkipDir
		case e.Type()&fs.ModeSymlink != 0:
			g.link(filepath.Join(p.dir, name))
		case !e.IsDir() && path.Ext(name) == ".md":
			g.file(root, p, name)
		}
		return nil
	})
}

// file reads one file.
func (g *gathering) file(root *os.Root, p place, name string) {
	full := filepath.Join(p.dir, name)
	if g.seen[full] {
		return
	}
	g.seen[full] = true
	if len(g.files) >= maxFiles || g.bytes >= maxAll {
		g.skip(full, fmt.Sprintf("only %d files and %d MB are read", maxFiles, maxAll>>20))
		return
	}
	text, err := read(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		g.skip(full, reason(err))
		return
	}
	kind := p.kind
	if kind == Topic && path.Base(name) == "MEMORY.md" {
		kind = Auto
	}
	g.bytes += int64(len(text))
	g.files = append(g.files, File{full, kind, text})
}

// read reads a regular file of this user or of root, not through a link.
func read(root *os.Root, name string) (string, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink != 0 { // which could not leave the root, but could lead to what is no memory
		return "", errors.New("it is a link")
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not be waited for
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.Mode().IsRegular():
		return "", errors.New("it is no regular file")
	case !ok || int(stat.Uid) != os.Geteuid() && stat.Uid != 0:
		return "", errors.New("it belongs to another user")
	case info.Size() > maxFile:
		return "", fmt.Errorf("it is larger than %d KB", maxFile>>10)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	return string(text), err
}

// reason returns an error without the path, which stands beside it.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}
