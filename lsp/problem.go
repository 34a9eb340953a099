package lsp

import "tidepool/lsp/internal/session"

// A Problem is an error that a language server reports in a source file or a manifest.
type Problem = session.Problem

// Errors are those that one language server reports for the whole project.
type Errors = session.Errors
