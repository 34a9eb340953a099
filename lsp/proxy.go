package lsp

import (
	"context"
	"io"
	"strings"

	"tidepool/lsp/internal/proxy"
)

// ProxyOptions say who wants to be served, and by what.
type ProxyOptions struct {
	Language string // ID of a language of the table
	Dir      string // the client's working directory, absolute; "": the project's root
}

// A Proxy lets one client of the Language Server Protocol use a language server that the project shares.
//
// The client speaks as if the server were its own. What it has in its buffers is seen by its own requests and by
// nobody else's; the files that it has not open are as on the disk. It cannot configure the server or end it, and what
// would need a server's memory of one client is not offered: pull diagnostics, changes between semantic tokens,
// notebooks. Requests that look through the whole project wait for the server to know it, up to the project's budget.
// When the server ends, what it was asked is answered with an error, and the next request finds another one.
type Proxy struct {
	client proxy.Options
}

// An UnservedError means that a project has no language of that name.
type UnservedError struct {
	Language string
	Known    []string
}

// Error names the language.
func (e *UnservedError) Error() string { return "no language is called " + e.Language }

// Hint lists those that there are.
func (e *UnservedError) Hint() string {
	if len(e.Known) == 0 {
		return "all languages are switched off in the configuration"
	}
	return "ask for " + strings.Join(e.Known, ", ")
}

// Proxy finds the server of a language for the tree around the client's directory, which need not run yet. What it knows
// of other worktrees is left out of its answers. The error is an *UnservedError.
func (p *Project) Proxy(options ProxyOptions) (*Proxy, error) {
	unserved := &UnservedError{Language: options.Language}
	for i := range p.workspace.Languages {
		language := &p.workspace.Languages[i]
		if language.ID == options.Language {
			return &Proxy{proxy.Options{
				Workspace: p.workspace, Language: language, Dir: options.Dir, Budget: p.budget,
			}}, nil
		}
		unserved.Known = append(unserved.Known, language.ID)
	}
	return nil, unserved
}

// Serve serves a client until it says exit, hangs up or breaks the protocol, or ctx ends; then it closes the stream. The
// error is nil if the client left in good order.
func (p *Proxy) Serve(ctx context.Context, stream io.ReadWriteCloser) error {
	return proxy.Serve(ctx, stream, p.client)
}
