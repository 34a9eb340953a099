package lsp

import "tidepool/lsp/internal/session"

// A Language says which program serves a language, when, and how what that program says is to be read.
type Language = session.Language

// Languages is the table of languages. Supporting another one is a package beside theirs and a line here.
func Languages() []Language {
	return []Language{golang(), typescript(), python(), clang(), rust(), haskell()}
}
