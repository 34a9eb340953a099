package tools

import (
	"path/filepath"
	"strings"

	"tidepool/lsp"
	"tidepool/scout"
)

func pythonLanguage() language {
	return language{
		use: pythonUse, outlined: true, kin: pythonKin, unresolved: pythonUnresolved, promoted: pythonPromoted,
		fields: pythonFields, constructors: pythonConstructors,
		naming:  naming{qualifiers: dottedQualifiers, made: []lsp.Kind{lsp.KindClass, lsp.KindEnum, lsp.KindInterface}, pkg: pythonPackage},
		reading: reading{test: pythonTest},
	}
}

// pythonWalked is what scout needs of Python.
func pythonWalked() walkedLanguage {
	return walkedLanguage{
		edges: pythonEdges, used: called, check: pythonCheck,
		hidden: []scout.Role{scout.RoleExample}, // in comments
	}
}

func pythonTest(path string) bool {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test") || name == "conftest"
}

// pythonPackage is the module's own name, without those of the packages around it.
func pythonPackage(_ *inquiry, l lsp.Location) string {
	name := filepath.Base(l.Path)
	if strings.HasPrefix(name, "__init__.") {
		return filepath.Base(filepath.Dir(l.Path))
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
