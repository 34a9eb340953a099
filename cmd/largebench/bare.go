package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"golang.org/x/sync/errgroup"

	"tidepool/internal/bareserver"
	"tidepool/lsp"
)

// A bare is a language server alone in a project.
type bare struct {
	*bareserver.Server
	project *project
	pid     atomic.Int64 // of the server, for who looks at it meanwhile
}

// startBare starts a server.
func startBare(ctx context.Context, p *project) (*bare, error) {
	server, err := bareserver.Start(ctx, p.names, p.dir, p.env("bare"))
	if err != nil {
		return nil, err
	}
	b := &bare{Server: server, project: p}
	b.pid.Store(int64(server.PID()))
	return b, nil
}

func (p *project) absolute(path string) string { return filepath.Join(p.dir, filepath.FromSlash(path)) }

// below returns the slash path below the project of what lies there; what lies elsewhere has one that is not local.
func (p *project) below(path string) string {
	below, err := filepath.Rel(p.dir, path)
	if err != nil {
		return ".."
	}
	return filepath.ToSlash(below)
}

// side returns the server as one of the two that are measured.
func (b *bare) side() *side {
	stop := func() error {
		b.Stop()
		return nil
	}
	return &side{pid: func() int { return int(b.pid.Load()) }, ready: b.ready, ask: b.references, change: b.edit, revert: b.restore, stop: stop}
}

// ready waits until the server knows the project.
func (b *bare) ready(ctx context.Context) error {
	return b.Ready(ctx, b.project.absolute(b.project.hub), b.project.absolute(b.project.sample[function][0].path))
}

// references asks for the uses of the name at a declaration. Uses in other modules do not count, of which gopls lists some for methods.
// gopls and pyright answer about files that are not open. The others have a file open for the question, and the hub all the time: tsserver
// forgets a project of which nothing is open.
func (b *bare) references(ctx context.Context, s symbol) (answer, error) {
	begin, path := time.Now(), b.project.absolute(s.path)
	opens := (b.project.language == "typescript" || b.project.language == "c") && !b.Holds(s.path)
	if opens {
		if err := b.KeepOpen(ctx, path); err != nil {
			return answer{}, err
		}
	}
	found, err := b.uses(ctx, s)
	a := answer{took: time.Since(begin), state: lsp.Complete}
	for _, at := range found {
		if below := b.project.below(at.URI.FsPath()); filepath.IsLocal(below) {
			if a.uses++; a.uses == 1 {
				a.first = fmt.Sprintf("%s:%d", below, at.Range.Start.Line+1)
			}
		}
	}
	if err == nil && opens {
		err = b.Close(ctx, s.path)
	}
	return a, err
}

// uses asks for references and, at the same time, for what a method of Go implements or is implemented by: without it nobody knows through
// which interfaces it is called.
func (b *bare) uses(ctx context.Context, s symbol) ([]protocol.Location, error) {
	at := lsp.At(b.project.absolute(s.path), s.line, s.column)
	group, ctx := errgroup.WithContext(ctx)
	if b.project.language == "go" && strings.Contains(s.name, ".") {
		group.Go(func() error {
			_, err := b.Implementations(ctx, at)
			return err
		})
	}
	found, err := b.References(ctx, at)
	return found, errors.Join(err, group.Wait())
}

// edit sends the server a changed text, and waits until the server has settled. The text is on the disk as well, as an
// editor would have saved it.
func (b *bare) edit(ctx context.Context, path, text string) error {
	if err := os.WriteFile(b.project.absolute(path), []byte(text), 0o600); err != nil {
		return err
	}
	if b.project.language == "c" && path == b.project.hub {
		return b.restart(ctx)
	}
	if err := b.Change(ctx, path, text); err != nil {
		return err
	}
	return b.Settled(ctx)
}

// restart has clangd compile what includes a header that has changed. It does so only without an index: when it starts with one it
// compiles a single file that includes the header, and knows of the others what was there before.
func (b *bare) restart(ctx context.Context) error {
	b.Stop()
	if err := os.RemoveAll(b.project.absolute(".cache/clangd")); err != nil {
		return err
	}
	again, err := startBare(ctx, b.project)
	if err != nil {
		return err
	}
	b.Server = again.Server
	b.pid.Store(again.pid.Load())
	return b.ready(ctx)
}

// restore shows the server the first text and closes the file.
func (b *bare) restore(ctx context.Context, path, text string) error {
	if err := b.edit(ctx, path, text); err != nil || path == b.project.hub {
		return err
	}
	return b.Close(ctx, path)
}
