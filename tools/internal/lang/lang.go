// Package lang says which programming languages the tools know.
package lang

import (
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/lang/clang"
	"tidepool/tools/internal/lang/generic"
	"tidepool/tools/internal/lang/golang"
	"tidepool/tools/internal/lang/python"
	"tidepool/tools/internal/lang/typescript"
	"tidepool/tools/internal/query"
)

// Language returns what the tools know of the language with an ID; the zero Language, which has no Use, if
// nothing.
func Language(id string) query.Language {
	switch id {
	case "go":
		return golang.Language()
	case "c":
		return clang.Language()
	case "haskell":
		return generic.Haskell()
	case "python":
		return python.Language()
	case "rust":
		return generic.Rust()
	case "typescript":
		return typescript.Language()
	}
	return query.Language{}
}

// Explored returns what a walk needs of the language with an ID; the zero Language, which has no Edges, if nothing is
// known of it.
func Explored(id string, w *golang.Walk) graph.Language {
	switch id {
	case "go":
		return w.Explored()
	case "c":
		return clang.Explored()
	case "python":
		return python.Explored()
	case "rust", "haskell":
		return generic.Explored()
	case "typescript":
		return typescript.Explored()
	}
	return graph.Language{}
}
