package golang

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
	platforms = 2 // each costs what the first does at every change, and 300 ms of CPU to load
	maxTries  = 8 // files opened of which some turn out to be for no platform
)

// A platform is a root as gopls loads it for one operating system and architecture.
type platform struct {
	root  string
	build build.Context
}

// reach has gopls load roots for the platforms that files are for. Measured with v0.23: a file that is open, and that
// the platforms loaded so far leave out, has its root loaded for the first one that does not, in an order of gopls's own;
// it stays so until the file is closed. Errors that no other platform has then end in its name, " [windows]".
func reach(ctx context.Context, s *session.Session, paths []string) (sees func(path string) bool, err error) {
	known, err := platformsOf(ctx, s)
	if err != nil {
		return nil, err
	}
	most, tries := len(known)+platforms, 0
	for _, path := range paths {
		if platformsSee(s, known, path) || len(known) >= most || tries == maxTries {
			continue
		}
		tries++
		if err := s.HoldOpen(path); err != nil {
			return nil, err
		}
		if known, err = platformsOf(ctx, s); err != nil {
			return nil, err
		}
		if !platformsSee(s, known, path) {
			s.Documents.Release(path) // what goes wrong ends the session
		}
	}
	return func(path string) bool { return platformsSee(s, known, path) }, nil
}

// platformsOf returns the platforms that gopls has loaded.
func platformsOf(ctx context.Context, s *session.Session) ([]platform, error) {
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
	var found []platform
	for _, v := range views {
		lookup := func(key string) string {
			if value := session.Getenv(v.Env, key); value != "" {
				return value
			}
			return session.Getenv(s.Env, key)
		}
		p := platform{root: text.Path(v.Root), build: buildFor(s.Language, lookup)}
		if p.build.GOOS != runtime.GOOS && lookup("CGO_ENABLED") == "" {
			p.build.CgoEnabled = false // as the go command has it
		}
		found = append(found, p)
	}
	return found, nil
}

// platformsSee reports whether one of the platforms has a file.
func platformsSee(s *session.Session, known []platform, path string) bool {
	root := s.Host.RootOf(path)
	return slices.ContainsFunc(known, func(p platform) bool {
		match, err := p.build.MatchFile(filepath.Dir(path), filepath.Base(path))
		return p.root == root && match && err == nil
	})
}
