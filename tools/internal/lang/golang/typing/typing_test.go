package typing

import (
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// What the text tells of a method that is named is what the compiler finds, in much code; and it tells of most that the module declares.
func TestTextAgainstCompiler(t *testing.T) {
	told, all := againstCompiler(t, filepath.Join("..", "..", "..", "..", "..", "internal", "golang"), "./...")
	if all < 1000 || told < all*8/10 {
		t.Errorf("the text tells of %d of %d", told, all)
	}
}

// againstCompiler compares what the text tells of each method that is selected in packages with what their types say. It returns of
// how many of those that the module declares the text tells.
func againstCompiler(t *testing.T, dir string, patterns ...string) (told, all int) {
	t.Helper()
	const mode = packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule
	loaded, err := packages.Load(&packages.Config{Dir: dir, Tests: true, Mode: mode}, patterns...)
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatal(err)
	}
	r := &Reader{Files: new(syntax.Files).Read(), LeftOut: func(string) bool { return false }}
	seen := map[query.Spot]bool{}
	for _, p := range loaded {
		for id, object := range p.TypesInfo.Uses {
			selected, ok := object.(*types.Func)
			use := spotOf(p.Fset, id.Pos())
			if !ok || selected.Signature().Recv() == nil || seen[use] {
				continue
			}
			seen[use] = true
			want := spotOf(p.Fset, selected.Origin().Pos())
			got, ok := r.Method(lsp.At(use.Path, use.Line, use.Column), id.Name)
			if p.Module != nil && strings.HasPrefix(want.Path, p.Module.Dir) {
				all++
			}
			if ok {
				told++
			}
			if ok && (got.Path != want.Path || got.Line != want.Line) { // of other packages the compiler keeps no columns
				t.Errorf("%v: the text says %v, the compiler %v", use, got, want)
			}
		}
	}
	return told, all
}

func spotOf(files *token.FileSet, pos token.Pos) query.Spot {
	at := files.Position(pos)
	return query.Spot{Path: at.Filename, Line: at.Line, Column: at.Column}
}
