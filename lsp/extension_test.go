package lsp

import "testing"

func TestLanguageOfIsThatOfTheTable(t *testing.T) {
	t.Parallel()
	for _, language := range Languages() {
		for _, extension := range language.Extensions {
			if got := LanguageOf("/p/file" + extension); got != language.ID {
				t.Errorf("*%s is %q, want %s", extension, got, language.ID)
			}
		}
	}
	for _, path := range []string{"README.md", "Makefile", ".go/x", ""} {
		if got := LanguageOf(path); got != "" {
			t.Errorf("%s is %s", path, got)
		}
	}
}
