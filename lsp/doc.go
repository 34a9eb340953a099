// Package lsp holds the language servers of one project and answers questions through them.
//
// A Project starts the servers that the files below its directory ask for, keeps them warm for all callers, starts
// them again when they crash or hang, stops them when nobody asks, and ends them with itself. A View is one caller's
// way in: making it brings the servers in step with the disk, so that an answer is never older than the question. Every
// answer has a Completeness, which is measured from what the servers report of their work.
//
// A tree is one checkout: the project's directory, or the same directory in another worktree of its git repository,
// opened when somebody works there. A View is of one tree and shows nothing of another. A root is a directory of a
// tree with a language's marker and sources. A server whose language has Folders serves the roots of all trees as
// workspace folders from one process; of the others there is one for each tree, under a limit.
//
// A Proxy lets an editor, or any other client of the Language Server Protocol, use one of the servers as if it were its
// own: with the texts of its own buffers, which nobody else sees.
//
// A Draft tries a change out: texts that are nowhere else are shown to a server which is there for nothing else, and the
// errors that it then finds are compared with those of before.
//
// Packages below: internal/workspace knows the trees and starts servers for them; internal/session talks to one server, and
// declares what a Language is; each language is a package beside it, which the table Languages lists. internal/draft and
// internal/proxy are what drafts and proxies need besides. internal/text, internal/disk and internal/process are leaves.
//
// Positions count lines and bytes from 1; the protocol's UTF-16 and URIs do not leave lsp.
// Errors that a person can do something about have a method Hint() string. The package does not log.
package lsp
