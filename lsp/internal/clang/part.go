package clang

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// A part is a unit that others include: a compiler reads it alone and as a part of each of them, and may find another meaning
// in it every time. clangd keeps what it finds in a file for one of them only.
type part struct {
	path string
	in   []string // the units that include it, sorted
}

// parts returns the units that other units include, in the order of their paths.
func (g includes) parts(sources map[string]source) []part {
	var all []part
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		if !isUnit(path) || len(g.by[path]) == 0 {
			continue
		}
		users := reach(g.by, []string{path}, nil)
		delete(users, path)
		maps.DeleteFunc(users, func(user string, _ bool) bool { return !isUnit(user) })
		if len(users) > 0 {
			all = append(all, part{path, slices.Sorted(maps.Keys(users))})
		}
	}
	return all
}

// lost returns an error if a part mentions a name where clangd may not have kept a use of what stands at a place.
func lost(ctx context.Context, s *session.Session, to protocol.TextDocumentPositionParams, name string, found []protocol.Location) error {
	x := s.Own.(*index)
	x.mu.Lock()
	parts, sources := x.parts, x.sources
	x.mu.Unlock()
	asked := text.Path(to.TextDocument.URI)
	for _, p := range parts {
		if isUnit(asked) && asked != p.path && !slices.Contains(p.in, asked) {
			continue // no unit has both
		}
		why, err := p.lacks(ctx, s, sources[p.path], to, name, found)
		if err != nil {
			return err
		}
		if why != "" {
			return fmt.Errorf("%s is compiled alone and as a part of %s, and clangd keeps the uses of one: %s",
				s.Host.Relative(p.path), s.Host.Relative(p.in[0]), why)
		}
	}
	return nil
}

// lacks says where the part may use what a name means in another unit than clangd has read it for; "" if nowhere.
func (p part) lacks(ctx context.Context, s *session.Session, of source, to protocol.TextDocumentPositionParams, name string, found []protocol.Location) (string, error) {
	for _, path := range append([]string{p.path}, p.in...) {
		if data, err := os.ReadFile(path); err == nil && mentionsOf(string(data), name).macro {
			return fmt.Sprintf("a macro of %s mentions %s", s.Host.Relative(path), name), nil
		}
	}
	for _, place := range of.doubtful[name] {
		if place.why == leftOut {
			return fmt.Sprintf("line %d mentions %s between #if and #endif", place.at.Line, name), nil
		}
	}
	data, err := os.ReadFile(p.path)
	if err != nil {
		return "", nil // gone since
	}
	var meant []protocol.Location
	asked := 0
	for _, at := range mentionsOf(string(data), name).places {
		place := location(p.path, at, name)
		if slices.ContainsFunc(found, func(l protocol.Location) bool { return l.URI == place.URI && l.Range.Start == place.Range.Start }) {
			continue
		}
		if asked++; asked > doubtful {
			return fmt.Sprintf("more than %d lines mention %s", doubtful, name), nil
		}
		if meant == nil {
			if meant, err = definitions(ctx, s, to); err != nil {
				return "", err
			}
			meant = append(meant, protocol.Location{URI: to.TextDocument.URI, Range: protocol.Range{Start: to.Position}})
		}
		means, err := p.definitions(ctx, s, place)
		if err != nil {
			return "", err
		}
		if !slices.ContainsFunc(append(means, place), func(l protocol.Location) bool {
			return slices.ContainsFunc(meant, func(m protocol.Location) bool { return m.URI == l.URI && m.Range.Start == l.Range.Start })
		}) {
			return fmt.Sprintf("line %d mentions %s", at.Line, name), nil
		}
	}
	return "", nil
}

// definitions asks where the name at a place in the part is defined.
func (p part) definitions(ctx context.Context, s *session.Session, place protocol.Location) ([]protocol.Location, error) {
	if err := s.Open(p.path); err != nil {
		return nil, nil // gone since
	}
	return definitions(ctx, s, protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: place.URI}, Position: place.Range.Start,
	})
}

// mentions are where a text has a name: in code, and in what a macro stands for.
type mentions struct {
	places []text.Position
	macro  bool
}

func mentionsOf(content, name string) mentions {
	if !text.Mentions(content, name) {
		return mentions{}
	}
	r := newReader(content)
	r.wanted = name
	r.read(content)
	return r.mentions
}
