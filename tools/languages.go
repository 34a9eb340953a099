package tools

// languageWith returns what the tools know of the language with an ID; the zero language, which has no use, if nothing.
func languageWith(id string) Language {
	switch id {
	case "go":
		return goLanguage()
	case "c":
		return clangLanguage()
	case "haskell":
		return haskellLanguage()
	case "python":
		return pythonLanguage()
	case "rust":
		return rustLanguage()
	case "typescript":
		return typescriptLanguage()
	}
	return Language{}
}

// walkedWith returns what a walk needs of the language with an ID; the zero walkedLanguage, which has no edges, if that is
// not known.
func walkedWith(id string, w *goWalk) walkedLanguage {
	switch id {
	case "go":
		return w.language()
	case "c":
		return clangWalked()
	case "haskell":
		return haskellWalked()
	case "python":
		return pythonWalked()
	case "rust":
		return rustWalked()
	case "typescript":
		return typescriptWalked()
	}
	return walkedLanguage{}
}
