package tools

import (
	"path/filepath"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

func pythonLanguage() Language {
	return Language{
		Use: pythonUse, Outlined: true, Kin: pythonKin, Unresolved: pythonUnresolved, Promoted: pythonPromoted,
		Fields: pythonFields, Constructors: pythonConstructors,
		Naming:  Naming{Qualifiers: DottedQualifiers, Made: []lsp.Kind{lsp.KindClass, lsp.KindEnum, lsp.KindInterface}, Pkg: pythonPackage},
		Reading: Reading{Test: pythonTest},
	}
}

// pythonWalked is what scout needs of Python.
func pythonWalked() walkedLanguage {
	return walkedLanguage{
		Edges: pythonEdges, Used: Called, Check: pythonCheck,
		Hidden: []scout.Role{scout.RoleExample}, // in comments
	}
}

func pythonTest(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test") || name == "conftest"
}

// pythonPackage is the module's own name, without those of the packages around it.
func pythonPackage(_ *Inquiry, l lsp.Location) string {
	name := filepath.Base(l.Path)
	if strings.HasPrefix(name, "__init__.") {
		return filepath.Base(filepath.Dir(l.Path))
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
