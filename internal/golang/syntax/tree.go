package syntax

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/ast/inspector"
)

// A tree is a file as the parser reads it.
type tree struct {
	file   *File
	broken error // the syntax errors, nil if there are none
	tokens *token.File
	syntax *ast.File
	root   func() inspector.Cursor
	used   atomic.Bool // since the last look at whether it stays
}

// tree returns the file's tree, which is parsed unless it is kept. Two calls may return two trees; their positions are the same.
func (f *File) tree() *tree {
	if t := f.kept.Load(); t != nil {
		if !t.used.Load() {
			t.used.Store(true)
		}
		return t
	}
	f.turn.Lock()
	defer f.turn.Unlock()
	if t := f.kept.Load(); t != nil {
		return t
	}
	t := newTree(f)
	f.kept.Store(t)
	if f.trees != nil {
		f.trees.keep(t)
	}
	return t
}

func newTree(f *File) *tree {
	fset := token.NewFileSet()
	if f.base > 1 {
		fset.AddFile("", f.base-1, 0)
	}
	syntax, err := parser.ParseFile(fset, f.Path, f.src, parser.ParseComments|parser.SkipObjectResolution)
	return &tree{
		file: f, broken: err, tokens: fset.File(syntax.FileStart), syntax: syntax,
		root: sync.OnceValue(func() inspector.Cursor { return inspector.New([]*ast.File{syntax}).Root() }),
	}
}

// keptTrees bounds the text, in bytes, of the files whose trees are kept, unless [Files.Keep] says otherwise. A tree with its
// inspector takes ten times as much as the text, and is parsed at some 20 MB a second.
const keptTrees = 256 << 10

// trees are those kept of many files: a new one drops the oldest that were not used since the last look, until the bound
// is met. The latest stays, however large.
type trees struct {
	limit int // of the text, in bytes; 0: keptTrees

	mu    sync.Mutex
	all   []*tree // the oldest first
	bytes int
}

func (ts *trees) keep(t *tree) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.all = append(ts.all, t)
	for ts.bytes += len(t.file.src); ts.bytes > cmp.Or(ts.limit, keptTrees) && len(ts.all) > 1; {
		oldest := ts.all[0]
		ts.all[0] = nil
		ts.all = ts.all[1:]
		if oldest.used.Swap(false) {
			ts.all = append(ts.all, oldest)
			continue
		}
		oldest.file.kept.Store(nil)
		ts.bytes -= len(oldest.file.src)
	}
}
