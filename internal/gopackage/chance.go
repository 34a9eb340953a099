package gopackage

import (
	"go/ast"
	"go/types"
)

// chance is how likely a run of a function comes to a place in it.
func chance(_ *types.Info, _ *ast.Ident, _ []ast.Node) float32 { return 1 }
