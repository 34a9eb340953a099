package lsp

import (
	"context"
	"go/build"
	"path/filepath"
	"runtime"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// Bounds of what gopls looks at for one draft besides the platform that it is for.
const (
	goPlatforms = 2 // each costs what the first does at every change, and 300 ms of CPU to load
	goTries     = 8 // files opened of which some turn out to be for no platform
)

// A goPlatform is a root as gopls loads it for one operating system and architecture.
type goPlatform struct {
	root  string
	build build.Context
}

// reachGo has gopls load roots for the platforms that files are for. Measured with v0.23: a file that is open, and that
// the platforms loaded so far leave out, has its root loaded for the first one that does not, in an order of gopls's own;
// it stays so until the file is closed. Errors that no other platform has then end in its name, " [windows]".
func reachGo(ctx context.Context, s *session.Session, paths []string) (sees func(path string) bool, err error) {
	known, err := goPlatformsOf(ctx, s)
	if err != nil {
		return nil, err
	}
	most, tries := len(known)+goPlatforms, 0
	for _, path := range paths {
		if goSees(s, known, path) || len(known) >= most || tries == goTries {
			continue
		}
		tries++
		if err := s.HoldOpen(path); err != nil {
			return nil, err
		}
		if known, err = goPlatformsOf(ctx, s); err != nil {
			return nil, err
		}
		if !goSees(s, known, path) {
			s.Documents.Release(path) // what goes wrong ends the session
		}
	}
	return func(path string) bool { return goSees(s, known, path) }, nil
}

// goPlatformsOf are the platforms that gopls has loaded.
func goPlatformsOf(ctx context.Context, s *session.Session) ([]goPlatform, error) {
	type view struct {
		Root uri.URI
		Env  []string `json:"EnvOverlay"`
	}
	views, err := session.Ask[[]view](session.AboutNoText(ctx), s, protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{
		Command: "gopls.views", Arguments: []protocol.LSPAny{protocol.LSPAny("{}")},
	})
	if err != nil {
		return nil, err
	}
	var found []goPlatform
	for _, v := range views {
		lookup := func(key string) string {
			if value := session.Getenv(v.Env, key); value != "" {
				return value
			}
			return session.Getenv(s.Env, key)
		}
		p := goPlatform{root: text.Path(v.Root), build: goBuild(s.Language, lookup)}
		if p.build.GOOS != runtime.GOOS && lookup("CGO_ENABLED") == "" {
			p.build.CgoEnabled = false // as the go command has it
		}
		found = append(found, p)
	}
	return found, nil
}

// goSees says whether one of the platforms has a file.
func goSees(s *session.Session, known []goPlatform, path string) bool {
	root := s.Host.RootOf(path)
	return slices.ContainsFunc(known, func(p goPlatform) bool {
		match, err := p.build.MatchFile(filepath.Dir(path), filepath.Base(path))
		return p.root == root && match && err == nil
	})
}
