package syntax

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"unsafe"

	"tidepool/internal/filecache"
)

// Files keeps parsed files for as long as their size and modification time stay. The zero value is empty and ready.
// Safe for concurrent use.
type Files struct {
	cache filecache.Cache[*File]
	next  atomic.Int64 // positions that were given to files
	trees filecache.Bound
}

// A Reading is the files as one piece of work sees them: each is looked at on the disk once. Get one by [Files.Read].
// Safe for concurrent use. Open returns the file at a path, parsed; its error is that of reading it, a syntax error is
// [File.Broken].
type Reading struct{ *filecache.Reading[*File] }

// Keep bounds the text of the files that are kept, in bytes, and has all of their trees kept, too, so that [File.Syntax] always
// returns the same one. It must come before the first Read.
func (fs *Files) Keep(bytes int) { fs.cache.Limit, fs.trees.Limit = bytes, math.MaxInt }

// Read begins a piece of work.
func (fs *Files) Read() *Reading { return &Reading{fs.cache.Read(fs.parse)} }

func (fs *Files) parse(path string, src []byte) *File {
	size := int64(len(src)) + 2                            // the end of a file is a position, and so is the gap before it
	text := unsafe.String(unsafe.SliceData(src), len(src)) // nobody else has src, and it is not written to
	f := newFile(int(fs.next.Add(size)-size)+2, path, text)
	if fs.trees.Limit < math.MaxInt {
		f.bound = &fs.trees
	}
	return f
}

// Package returns the files of the package that path belongs to, as far as the system we run on builds them and they
// can be read; those for tests only if path is one.
func (r *Reading) Package(path string) []*File {
	of, err := r.Open(path)
	if err != nil {
		return nil
	}
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []*File{of}
	}
	var all []*File
	for _, entry := range entries {
		name := entry.Name()
		if match, err := build.Default.MatchFile(dir, name); err != nil || !match || filepath.Ext(name) != ".go" {
			continue
		}
		f, err := r.Open(filepath.Join(dir, name))
		if err == nil && f.Package == of.Package && (of.Test() || !f.Test()) {
			all = append(all, f)
		}
	}
	return all
}

// headRead is how much of a file is read for its imports, in bytes. One whose imports may end later is read to its end.
const headRead = 64 << 10

// ImportPaths lists the import paths of the file at a path, which is not kept. With an error, that of reading it or of its syntax, they are
// those before the error.
func ImportPaths(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, headRead))
	if err != nil {
		return nil, err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ImportsOnly|parser.SkipObjectResolution)
	if len(src) == headRead && (err != nil || !goesOn(parsed, src)) {
		rest, err := io.ReadAll(f)
		if err != nil {
			return nil, err
		}
		return importsIn(parser.ParseFile(token.NewFileSet(), path, append(src, rest...), parser.ImportsOnly|parser.SkipObjectResolution))
	}
	return importsIn(parsed, err)
}

// goesOn reports whether another declaration begins behind the imports in the first part of a file.
func goesOn(parsed *ast.File, head []byte) bool {
	end := parsed.Name.End()
	if n := len(parsed.Decls); n > 0 {
		end = parsed.Decls[n-1].End()
	}
	for line := range bytes.Lines(head[min(int(end-parsed.FileStart), len(head)):]) {
		if beginsDeclaration(string(line)) && !bytes.HasPrefix(line, []byte("import")) {
			return true
		}
	}
	return false
}

func importsIn(parsed *ast.File, err error) ([]string, error) {
	var paths []string
	if parsed == nil {
		return nil, err
	}
	for _, spec := range parsed.Imports {
		path, invalid := strconv.Unquote(spec.Path.Value)
		if invalid != nil {
			return paths, invalid
		}
		paths = append(paths, path)
	}
	return paths, err
}
