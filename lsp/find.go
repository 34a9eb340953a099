package lsp

import (
	"os"

	"tidepool/lsp/internal/workspace"
)

// Used returns those of the languages that a project in the directory root is written in, as a Project would find it.
func Used(root string, languages []Language) []Language { return workspace.Used(root, languages) }

// vanished reports whether there is no such file any more.
func vanished(path string) bool {
	_, err := os.Stat(path)
	return err != nil
}
