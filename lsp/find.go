package lsp

import (
	"os"
	"slices"

	"tidepool/lsp/internal/workspace"
)

// Used returns those of the languages that a project in the directory root is written in, as a Project would find it.
func Used(root string, languages []Language) []Language {
	files := Inventory(root, languages)
	return slices.DeleteFunc(slices.Clone(languages), func(l Language) bool { return files[l.ID] == 0 })
}

// Inventory returns how many source files the projects in the directory root have of each language, by its id.
func Inventory(root string, languages []Language) map[string]int {
	return workspace.Inventory(root, languages)
}

// vanished reports whether there is no such file any more.
func vanished(path string) bool {
	_, err := os.Stat(path)
	return err != nil
}
