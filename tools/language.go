package tools

import (
	"tidepool/tools/internal/clang"
	"tidepool/tools/internal/code"
	"tidepool/tools/internal/golang"
	"tidepool/tools/internal/graph"
	"tidepool/tools/internal/haskell"
	"tidepool/tools/internal/python"
	"tidepool/tools/internal/rust"
	"tidepool/tools/internal/typescript"
)

// languageWith returns what the tools know of the language with an ID; the zero Language, which has no Use, if
// nothing.
func languageWith(id string) code.Language {
	switch id {
	case "go":
		return golang.Language()
	case "c":
		return clang.Language()
	case "haskell":
		return haskell.Language()
	case "python":
		return python.Language()
	case "rust":
		return rust.Language()
	case "typescript":
		return typescript.Language()
	}
	return code.Language{}
}

// exploredWith returns what a walk needs of the language with an ID; the zero Language, which has no Edges, if nothing is
// known of it.
func exploredWith(id string, w *golang.Walk) graph.Language {
	switch id {
	case "go":
		return w.Explored()
	case "c":
		return clang.Explored()
	case "haskell":
		return haskell.Explored()
	case "python":
		return python.Explored()
	case "rust":
		return rust.Explored()
	case "typescript":
		return typescript.Explored()
	}
	return graph.Language{}
}
