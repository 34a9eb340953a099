package lsp

import (
	"tidepool/lsp/internal/clang"
	"tidepool/lsp/internal/golang"
	"tidepool/lsp/internal/haskell"
	"tidepool/lsp/internal/python"
	"tidepool/lsp/internal/rust"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/typescript"
)

// A Language says which program serves a language, when, and how what that program says is to be read.
type Language = session.Language

// Languages returns the table of languages. Supporting another one is a package beside theirs and a line here.
func Languages() []Language {
	return []Language{golang.Language(), typescript.Language(), python.Language(), clang.Language(), rust.Language(), haskell.Language()}
}
