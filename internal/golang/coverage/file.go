package coverage

import (
	"crypto/sha256"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// maxContent is the size in bytes up to which a file counts by its content. A larger one counts by size and time, so that
// data files of gigabytes cost nothing.
const maxContent = 1 << 20

// A digest stands for the content of files.
type digest [sha256.Size]byte

// A file is what matters of one file on the disk.
type file struct {
	size    int64
	changed time.Time
	content digest
	imports []string // of a Go file of a package
}

// A statCache keeps files as long as their size and modification time do not change. Only one reading at a time uses it.
type statCache struct {
	known map[string]*file // by path
	seen  map[string]*file // of this reading: what is not in it any more is forgotten

	readings uint64 // how many trees were read
}

// look reads a file unless it is known.
func (l *statCache) look(path string, info fs.FileInfo) (*file, error) {
	f := l.known[path]
	if f == nil || f.size != info.Size() || !f.changed.Equal(info.ModTime()) {
		var err error
		if f, err = read(path, info); err != nil {
			return nil, err
		}
	}
	l.seen[path] = f
	return f, nil
}

func read(path string, info fs.FileInfo) (*file, error) {
	f := &file{size: info.Size(), changed: info.ModTime()}
	if !info.Mode().IsRegular() || info.Size() > maxContent {
		f.content = sha256.Sum256(fmt.Append(nil, info.Mode().Type(), info.Size(), info.ModTime().UnixNano()))
		return f, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f.content = sha256.Sum256(data)
	if filepath.Ext(path) == ".go" {
		f.imports = imports(data)
	}
	return f, nil
}

// imports returns the import paths of a Go file, as far as it parses.
func imports(source []byte) []string {
	syntax, _ := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly|parser.SkipObjectResolution)
	if syntax == nil {
		return nil
	}
	var all []string
	for _, spec := range syntax.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			all = append(all, path)
		}
	}
	return all
}

// ofPackage reports whether the go command may take a file for one of a package.
func ofPackage(name string) bool {
	return filepath.Ext(name) == ".go" && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".")
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }
