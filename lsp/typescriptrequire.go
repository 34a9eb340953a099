package lsp

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// tsRequireMentions bounds the mentions of a name whose definition is asked for.
const tsRequireMentions = 500

// missedTypeScript finds uses of what CommonJS exports. tsserver follows `const { f } = require("./m")` and `m.f()` from
// the use to the declaration, but not from a declaration behind `module.exports = { f }` to its uses. So every mention
// of the name in a file that calls require is asked for its definition.
func missedTypeScript(ctx context.Context, s *session, to protocol.TextDocumentPositionParams, name string, found []protocol.Location) ([]protocol.Location, error) {
	mentions, err := s.requireMentions(to.TextDocument.URI.FsPath(), name, found)
	if err != nil || len(mentions) == 0 {
		return nil, err
	}
	target, err := s.definedAt(ctx, to)
	if err != nil || len(target) == 0 {
		return nil, err
	}
	same := starts(slices.Concat(target, found))
	defined := make([][]protocol.Location, len(mentions))
	for i, at := range mentions {
		if err := s.open(at.URI.FsPath()); err != nil {
			continue // gone
		}
		if defined[i], err = s.definedAt(ctx, placeOf(at)); err != nil {
			return nil, err
		}
	}
	return reaching(mentions, defined, same, starts(target)), nil
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

// start is a location without its end.
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

func (s *session) definedAt(ctx context.Context, at protocol.TextDocumentPositionParams) ([]protocol.Location, error) {
	params := &protocol.DefinitionParams{TextDocumentPositionParams: at}
	result, err := ask[protocol.LocationSlice](ctx, s, protocol.MethodTextDocumentDefinition, params)
	return result, err
}

// requireMentions lists where JavaScript that calls require, and the file at path, mention a name at places that are not
// among those found. Files of other worktrees cannot mean what is declared in this one.
func (s *session) requireMentions(path, name string, found []protocol.Location) ([]protocol.Location, error) {
	index, sources := s.server.project.treeOf(path).index(s.language)
	known := starts(found)
	var all []protocol.Location
	for _, file := range sources {
		if !tsPlain(file) || !index.mention(lastWord(name), []string{file}) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil || file != path && !strings.Contains(string(data), "require(") {
			continue
		}
		for _, at := range wordsIn(newText(string(data)), name) {
			place := protocol.Location{URI: wireURI(file), Range: protocol.Range{Start: at}}
			if !known[place] {
				all = append(all, place)
			}
		}
	}
	if len(all) > tsRequireMentions {
		return nil, fmt.Errorf("uses through require were not looked for: JavaScript files mention %s %d times", name, len(all))
	}
	return all, nil
}

// wordsIn are the places where a text has name as a whole word.
func wordsIn(in text, name string) []protocol.Position {
	var all []protocol.Position
	for n := range in.starts {
		line := in.line(n)
		for at := range eachWord(line, name) {
			all = append(all, protocol.Position{Line: uint32(n), Character: uint32(unitsBefore(line, at))})
		}
	}
	return all
}
