package syntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"sync"

	"golang.org/x/tools/go/ast/inspector"
)

// A tree is a file as the parser reads it.
type tree struct {
	broken error // the syntax errors, nil if there are none
	tokens *token.File
	syntax *ast.File
	root   func() inspector.Cursor
}

// treePerByte is how many bytes the tree of a byte of text occupies, with its inspector.
const treePerByte = 20

// tree returns the file's tree, which is parsed unless it is kept. Two calls may return two trees; their positions are the same.
func (f *File) tree() *tree {
	return f.kept.Get(f.bound, func() (*tree, int) { return newTree(f.base, f.Path, f.src), treePerByte * len(f.src) })
}

// newTree gives the tokens of a source the positions from base on.
func newTree(base int, path, src string) *tree {
	fset := token.NewFileSet()
	if base > 1 {
		fset.AddFile("", base-1, 0)
	}
	syntax, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	return &tree{
		broken: err, tokens: fset.File(syntax.FileStart), syntax: syntax,
		root: sync.OnceValue(func() inspector.Cursor { return inspector.New([]*ast.File{syntax}).Root() }),
	}
}
