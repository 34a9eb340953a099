package lsp

import "path/filepath"

// LanguageOf returns the ID of the language of the table that reads a file, by its extension; "" if none does. It is asked
// for every place of an answer, so it does not make the table.
func LanguageOf(path string) string {
	switch filepath.Ext(path) {
	case ".go":
		return "go"
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs":
		return "typescript"
	case ".py", ".pyi":
		return "python"
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".inc":
		return "c"
	case ".rs":
		return "rust"
	case ".hs", ".hs-boot":
		return "haskell"
	}
	return ""
}
