package typescript

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// mentionLimit bounds the mentions of a name whose definition is asked for.
const mentionLimit = 500

// missed finds uses of what CommonJS exports. tsserver follows `const { f } = require("./m")` and `m.f()` from
// the use to the declaration, but not from a declaration behind `module.exports = { f }` to its uses. So every mention
// of the name in a file that calls require is asked for its definition.
func missed(
	ctx context.Context, s *session.Session, to protocol.TextDocumentPositionParams, name string, found []protocol.Location,
) ([]protocol.Location, error) {
	reached, err := reached(ctx, s, to, name, found)
	if err != nil {
		return nil, err
	}
	renamed, err := renamed(ctx, s, slices.Concat(found, reached), name)
	return append(reached, renamed...), err
}

// reached returns the mentions whose definition leads to the place asked about.
func reached(
	ctx context.Context, s *session.Session, to protocol.TextDocumentPositionParams, name string, found []protocol.Location,
) ([]protocol.Location, error) {
	mentions, err := requireMentions(s, to.TextDocument.URI.FsPath(), name, found)
	if err != nil || len(mentions) == 0 {
		return nil, err
	}
	target, err := definitions(ctx, s, to)
	if err != nil || len(target) == 0 {
		return nil, err
	}
	same := starts(slices.Concat(target, found))
	defined := make([][]protocol.Location, len(mentions))
	for i, at := range mentions {
		if err := s.Open(at.URI.FsPath()); err != nil {
			continue // gone
		}
		if defined[i], err = definitions(ctx, s, placeOf(at)); err != nil {
			return nil, err
		}
	}
	return reaching(mentions, defined, same, starts(target)), nil
}

// renamed finds the uses of the names that `const { f: g } = require("./m")` gives to what is at one of places.
func renamed(ctx context.Context, s *session.Session, places []protocol.Location, name string) ([]protocol.Location, error) {
	var all []protocol.Location
	seen := text.NewFiles(s.NonASCII)
	for _, at := range places {
		path := at.URI.FsPath()
		if !plain(path) {
			continue
		}
		other, ok := givenName(seen.Of(path), at.Range.Start, name)
		if !ok {
			continue
		}
		if err := s.Open(path); err != nil {
			continue // gone
		}
		uses, err := session.Ask[protocol.LocationSlice](ctx, s, protocol.MethodTextDocumentReferences, &protocol.ReferenceParams{
			TextDocumentPositionParams: placeOf(protocol.Location{URI: at.URI, Range: protocol.Range{Start: other}}),
		})
		if err != nil {
			return nil, err
		}
		all = append(all, uses...)
	}
	return all, nil
}

// givenNameReach is how many bytes behind a name in a pattern the call of require may stand.
const givenNameReach = 500

// givenName returns where the g in `{ f: g } = require("./m")` stands, with f at a place; false if f keeps its name.
func givenName(in text.Text, at protocol.Position, name string) (protocol.Position, bool) {
	line := in.Line(int(at.Line))
	behind := text.BytesBefore(line, int(at.Character)) + len(name)
	if behind > len(line) {
		return protocol.Position{}, false
	}
	other, given := strings.CutPrefix(strings.TrimLeft(line[behind:], " "), ":")
	other = strings.TrimLeft(other, " ")
	rest := in.Content[in.Offset(text.Position{Line: int(at.Line) + 1, Column: behind + 1}):]
	statement, _, _ := strings.Cut(rest[:min(len(rest), givenNameReach)], ";")
	if !given || text.WordAt(other, 0) == "" || !strings.Contains(statement, "require(") {
		return protocol.Position{}, false
	}
	return protocol.Position{Line: at.Line, Character: uint32(text.UnitsBefore(line, len(line)-len(other)))}, true
}

// reaching returns the mentions that are defined at a place in same, or at one of each other that is.
func reaching(mentions []protocol.Location, defined [][]protocol.Location, same, target map[protocol.Location]bool) []protocol.Location {
	var reached []protocol.Location
	for again := true; again; {
		again = false
		for i, at := range mentions {
			in := slices.ContainsFunc(defined[i], func(l protocol.Location) bool { return same[start(l)] })
			if in && !same[at] && !target[at] {
				reached, same[at], again = append(reached, at), true, true
			}
		}
	}
	return reached
}

// start returns a location without its end.
func start(l protocol.Location) protocol.Location {
	return protocol.Location{URI: l.URI, Range: protocol.Range{Start: l.Range.Start}}
}

func starts(all []protocol.Location) map[protocol.Location]bool {
	set := make(map[protocol.Location]bool, len(all))
	for _, l := range all {
		set[start(l)] = true
	}
	return set
}

func placeOf(l protocol.Location) protocol.TextDocumentPositionParams {
	return protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: l.URI}, Position: l.Range.Start,
	}
}

// definitions asks where the name at a place is defined.
func definitions(ctx context.Context, s *session.Session, at protocol.TextDocumentPositionParams) ([]protocol.Location, error) {
	params := &protocol.DefinitionParams{TextDocumentPositionParams: at}
	result, err := session.Ask[protocol.LocationSlice](ctx, s, protocol.MethodTextDocumentDefinition, params)
	return result, err
}

// requireMentions lists where JavaScript that calls require, and the file at path, mention a name at places that are not
// among those found. Files of other worktrees cannot mean what is declared in this one.
func requireMentions(s *session.Session, path, name string, found []protocol.Location) ([]protocol.Location, error) {
	of := s.Host.Words(path)[0]
	known := starts(found)
	var all []protocol.Location
	for _, file := range of.Files {
		if !plain(file) || !of.Index.MayMention(text.LastWord(name), []string{file}) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil || file != path && !strings.Contains(string(data), "require(") {
			continue
		}
		for _, at := range text.WordsIn(text.New(string(data)), name) {
			place := protocol.Location{URI: text.URI(file), Range: protocol.Range{Start: at}}
			if !known[place] {
				all = append(all, place)
			}
		}
	}
	if len(all) > mentionLimit {
		return nil, fmt.Errorf("uses through require were not looked for: JavaScript files mention %s %d times", name, len(all))
	}
	return all, nil
}
