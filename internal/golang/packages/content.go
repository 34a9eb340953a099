package packages

import (
	"crypto/sha256"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"tidepool/internal/filecache"
)

// A stamp is that of a file.
type stamp struct {
	path string
	filecache.Stamp
}

// A text is what a file holds.
type text struct {
	path string
	sum  [sha256.Size]byte // zero: it cannot be read
}

// A content is what is known of the text of a file.
type content struct {
	stamp   stamp
	settled bool // the stamp was, when the text was read
	text    text
	imports []string // import paths
}

// stampsOf looks at the files of a directory.
func (w *Work) stampsOf(dir string) []stamp {
	if known, ok := w.stamps[dir]; ok {
		return known
	}
	var all []stamp
	for _, path := range w.dirs[dir] {
		if at, err := filecache.StampOf(path); err == nil {
			all = append(all, stamp{path, at})
		}
	}
	w.stamps[dir] = all
	return all
}

// textsOf returns what the files of a directory hold.
func (w *Work) textsOf(dir string) []text {
	var all []text
	for _, s := range w.stampsOf(dir) {
		all = append(all, w.content(s).text)
	}
	return all
}

// content reads a file, unless its stamp says that it is as it was. One that was written a moment ago is read by each piece of work
// anew.
func (w *Work) content(s stamp) content {
	known, ok := w.contents[s.path]
	if ok && known.stamp == s && (known.settled || w.looked[s.path]) {
		return known
	}
	read := content{stamp: s, settled: s.Settled(time.Now().Add(w.later)), text: text{path: s.path}}
	if data, err := os.ReadFile(s.path); err == nil {
		read.text.sum = sha256.Sum256(data)
		read.imports = pathsOf(parseImports(s.path, data))
	}
	w.contents[s.path], w.looked[s.path] = read, true
	return read
}

// parseImports parses the imports of a text, as far as they go.
func parseImports(path string, data []byte) []*ast.ImportSpec {
	parsed, _ := parser.ParseFile(token.NewFileSet(), path, data, parser.ImportsOnly|parser.SkipObjectResolution)
	if parsed == nil {
		return nil
	}
	return parsed.Imports
}

func pathsOf(specs []*ast.ImportSpec) []string {
	var all []string
	for _, spec := range specs {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

// listing looks at the Go files of a directory beyond the tree, without tests.
func listing(dir string) []stamp {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []stamp
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if filepath.Ext(path) != ".go" || isTest(path) {
			continue
		}
		if at, err := filecache.StampOf(path); err == nil {
			all = append(all, stamp{path, at})
		}
	}
	return all
}
