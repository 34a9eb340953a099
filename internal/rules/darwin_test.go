package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// Everything compiles for macOS, tests included. Go's vet would say so, too, once it had compiled all that we import for another system,
// which takes minutes; a type checker needs of that only what is declared.
func TestRuleCompilesForDarwin(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	config := &packages.Config{
		Dir: root, Tests: true, Env: append(os.Environ(), "GOOS=darwin", "CGO_ENABLED=0"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
			packages.NeedSyntax | packages.NeedTypesInfo,
		ParseFile: func(files *token.FileSet, name string, source []byte) (*ast.File, error) {
			file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, root) {
				for _, d := range file.Decls {
					if f, ok := d.(*ast.FuncDecl); ok {
						f.Body = nil
					}
				}
			}
			return file, err
		},
	}
	loaded, err := packages.Load(config, "./...", "./agent/...")
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded) < 100 {
		t.Fatalf("only %d packages", len(loaded))
	}
	for _, p := range loaded {
		if strings.HasSuffix(p.PkgPath, ".test") { // go's own, which calls the tests
			continue
		}
		for _, problem := range p.Errors {
			t.Errorf("for darwin: %v", problem)
		}
	}
}
