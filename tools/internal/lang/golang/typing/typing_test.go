package typing

import (
	"go/build"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"tidepool/internal/golang/goroot"
	"tidepool/internal/golang/syntax"
	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// What the text tells of a method that is named is what the compiler finds, in much code; and it tells of most that the module declares,
// of many of the standard library's, and of many calls of error.Error. Of fields and functions behind a dot it tells that they are no
// methods.
func TestTextAgainstCompiler(t *testing.T) {
	ours, standard, errors, others := againstCompiler(t, filepath.Join("..", "..", "..", "..", "..", "internal", "golang"), "./...")
	if ours.all < 1000 || ours.told < ours.all*8/10 {
		t.Errorf("the text tells of %d of %d", ours.told, ours.all)
	}
	if errors.all < 10 || errors.told < errors.all/2 {
		t.Errorf("of error.Error the text tells %d of %d", errors.told, errors.all)
	}
	if others.all < 5000 || others.told < others.all/2 {
		t.Errorf("of fields and functions the text tells %d of %d", others.told, others.all)
	}
	if standard.all < 500 || standard.told < standard.all/4 {
		t.Errorf("of the standard library's the text tells of %d of %d", standard.told, standard.all)
	}
}

// A share is of how many methods the text tells.
type share struct{ told, all int }

func (s *share) add(told bool) {
	if s.all++; told {
		s.told++
	}
}

// againstCompiler compares what the text tells of each method, field and function that is selected in packages with what their types say.
func againstCompiler(t *testing.T, dir string, patterns ...string) (ours, standard, errors, others share) {
	t.Helper()
	const mode = packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule
	loaded, err := packages.Load(&packages.Config{Dir: dir, Tests: true, Mode: mode}, patterns...)
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatal(err)
	}
	library := filepath.Join(goroot.Find(), "src")
	r := (&Reader{Files: new(syntax.Files).Read(), LeftOut: leftOut, Memory: new(Memory)}).withStandard()
	seen := map[query.Spot]bool{}
	for _, p := range loaded {
		for id, object := range p.TypesInfo.Uses {
			use := spotOf(p.Fset, id.Pos())
			if _, builtin := object.(*types.Builtin); builtin || seen[use] {
				continue
			}
			seen[use] = true
			got, ok := r.Method(lsp.At(use.Path, use.Line, use.Column), id.Name)
			selected, isFunc := object.(*types.Func)
			if field, isVar := object.(*types.Var); !isFunc || selected.Signature().Recv() == nil {
				if isFunc || isVar && field.IsField() {
					others.add(ok)
				}
				if ok && !isFunc && got != use && !declaresType(r, got) || ok && isFunc && got.Line != spotOf(p.Fset, object.Pos()).Line {
					t.Errorf("%v: the text says %v of %v", use, got, object)
				}
				continue
			}
			want := spotOf(p.Fset, selected.Origin().Pos())
			switch {
			case selected.Pkg() == nil:
				want = ErrorMethod()
				errors.add(ok)
			case p.Module != nil && strings.HasPrefix(want.Path, p.Module.Dir):
				ours.add(ok)
			case strings.HasPrefix(want.Path, library):
				standard.add(ok)
			}
			if ok && (got.Path != want.Path || got.Line != want.Line) { // of other packages the compiler keeps no columns
				t.Errorf("%v: the text says %v, the compiler %v", use, got, want)
			}
		}
	}
	return ours, standard, errors, others
}

func declaresType(r *Reader, at query.Spot) bool {
	f, err := r.Files.Open(at.Path)
	if err != nil {
		return false
	}
	d, ok := f.Declares(syntax.Position{Line: at.Line, Column: at.Column})
	return ok && d.Sort == syntax.SortType
}

func leftOut(path string) bool {
	match, err := build.Default.MatchFile(filepath.Dir(path), filepath.Base(path))
	return err != nil || !match
}

func spotOf(files *token.FileSet, pos token.Pos) query.Spot {
	at := files.Position(pos)
	at.Filename = strings.Replace(at.Filename, "$GOROOT", goroot.Find(), 1) // the compiler's own packages do not say where they lay
	return query.Spot{Path: at.Filename, Line: at.Line, Column: at.Column}
}
