package syntax

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
		if filepath.Ext(name) != ".go" || !namedForUs(name) {
			continue
		}
		f, err := r.Open(filepath.Join(dir, name))
		if err == nil && f.Package == of.Package && (of.Test() || !f.Test()) && f.built() {
			all = append(all, f)
		}
	}
	return all
}

// errUnread stops [build.Context.MatchFile] where it has looked at the name alone.
var errUnread = errors.New("not read")

// namedForUs reports whether the name of a file lets the system we run on build it.
func namedForUs(name string) bool {
	system := build.Default
	system.OpenFile = func(string) (io.ReadCloser, error) { return nil, errUnread }
	_, err := system.MatchFile("", name)
	return errors.Is(err, errUnread)
}

// built reports whether the system we run on builds the file, by its name and its constraints.
func (f *File) built() bool {
	f.builds.once.Do(func() {
		system := build.Default
		system.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(f.src)), nil }
		match, err := system.MatchFile(filepath.Split(f.Path))
		f.builds.set = err == nil && match
	})
	return f.builds.set
}

// A Head is how a file begins.
type Head struct {
	Package string   // the name in its package clause; "": it has none
	Imports []string // import paths
}

// headRead is how much of a file is read for its head, in bytes. One whose imports may end later is read to its end.
const headRead = 64 << 10

// ReadHead reads the head of the file at a path, which is not kept. With an error, that of reading it or of its syntax, the head is as far
// as it goes before the error.
func ReadHead(path string) (Head, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe would never end
		return Head{}, cmp.Or(err, fmt.Errorf("reading source: %s is no file", path))
	}
	f, err := os.Open(path)
	if err != nil {
		return Head{}, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, headRead))
	if err != nil {
		return Head{}, err
	}
	head, whole, err := parseHead(path, src)
	if whole || len(src) < headRead {
		return head, err
	}
	rest, err := io.ReadAll(f)
	if err != nil {
		return head, err
	}
	head, _, err = parseHead(path, append(src, rest...))
	return head, err
}

// parseHead parses the head of a text. whole says that it ends there: another declaration begins behind the imports.
func parseHead(path string, src []byte) (head Head, whole bool, err error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ImportsOnly|parser.SkipObjectResolution)
	if parsed == nil || parsed.Name == nil || !parsed.Name.Pos().IsValid() || parsed.Name.Name == "_" { // as the parser calls a missing one
		return head, false, err
	}
	head.Package = parsed.Name.Name
	for _, spec := range parsed.Imports {
		if path, invalid := strconv.Unquote(spec.Path.Value); invalid == nil {
			head.Imports = append(head.Imports, path)
		}
	}
	end := parsed.Name.End()
	if n := len(parsed.Decls); n > 0 {
		end = parsed.Decls[n-1].End()
	}
	for line := range bytes.Lines(src[min(max(int(end-parsed.FileStart), 0), len(src)):]) {
		if beginsDeclaration(string(line)) && !bytes.HasPrefix(line, []byte("import")) {
			return head, err == nil, err
		}
	}
	return head, false, err
}
