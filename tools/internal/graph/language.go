package graph

import (
	"context"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

// A Language is what is known of a programming language, with what a walk needs of it. All may be left out.
type Language struct {
	query.Language
	// Edges lists what depends on the declaration at a place; nil: nothing is known of the language.
	Edges func(context.Context, *Graph, scout.Node, lsp.Location) ([]scout.Edge, error)
	// Hidden are the roles that edges never have, or not every time, though programs of the language have such places.
	Hidden []scout.Role
	// Without are the roles that programs of the language do not have, or that edges never tell.
	Without []scout.Role
	// Traits are those that edges tell.
	Traits []scout.TraitName
	// Used lists what the declaration at a place uses, for open questions; nil: that is not followed.
	Used func(context.Context, *Graph, scout.Node, lsp.Location) ([]scout.Edge, error)
	// Check tries a change of declarations out; nil: nothing is.
	Check func(context.Context, *Graph, scout.Change, []scout.Node) (scout.Verdict, error)
	// Written returns what becomes of a declaration under a change, on one line, "" where it is not known; nil: it never is.
	Written func(context.Context, *Graph, scout.Change, scout.Node) string
	// Outer returns the declaration around a place; nil: the server's list of declarations tells.
	Outer func(*query.Query, lsp.Location) (query.Declaration, error)
	// Member says that a symbol, of those that belong to a type, is one of its members as those of an enum are; nil: only
	// those of enums are.
	Member func(of, s lsp.Symbol) bool
	// Unlisted finds the members of a type with a name that no server lists; nil: it lists all.
	Unlisted func(q *query.Query, typ lsp.Symbol, name string) []query.Declaration
	// Prepare begins what later walks over the file at a path can use, in the background; nil: there is nothing.
	Prepare func(g *Graph, path string)
}
