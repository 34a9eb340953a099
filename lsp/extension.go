package lsp

import (
	"path/filepath"
	"sync"
)

// LanguageOf returns the ID of the language of the table that reads a file, by its extension; "" if none does.
func LanguageOf(path string) string { return languageIDs()[filepath.Ext(path)] }

// languageIDs is read for every place of an answer, so the table is made for it once.
var languageIDs = sync.OnceValue(func() map[string]string {
	ids := map[string]string{}
	for _, language := range Languages() {
		for _, extension := range language.Extensions {
			ids[extension] = language.ID
		}
	}
	return ids
})
