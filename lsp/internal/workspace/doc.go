// Package workspace knows the trees of one project, and which language server serves what of them.
//
// A Tree is one checkout: the project's directory, or the same directory in another worktree of its git repository. It
// knows its files as they were at the last walk, the roots of each language in them, and their words. A Server keeps one
// language served, of all trees or of one: it starts sessions one after the other, holds what has changed on the disk until
// the session has heard of it, and says which source files the session does not load.
//
// Ownership. A Workspace owns its trees and servers, a server its session. One goroutine runs a session from its start to
// its end (Server.run) and alone waits for its process; everybody else watches the session's Done. A server that rests, or
// has hung, lets go of its session first and ends it behind that, so that the next question finds another one.
//
// Order. A walk compares the disk and notes the changes for every server before anybody else walks the same tree; a session
// is told of all of them before the next question reaches it. The lock order is that of Workspace.
//
// Memory. Servers are told their shares of a budget (share.go). When this program and all that it has started exceed it, servers are
// evicted: budget.go decides which, memory.go measures and evicts them, footprint.go keeps what a server needs.
//
// Limits: 64 roots of a language in a tree, so many servers at a time as Options say, five ends in a row until a server is
// left alone for five minutes, 256 names and 1,000 outlines kept of a server, 200 files outside of its reach read for a name.
package workspace
