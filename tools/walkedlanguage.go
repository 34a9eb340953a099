package tools

import (
	"context"

	"tidepool/lsp"
	"tidepool/scout"
)

// A walkedLanguage is what a walk needs of a programming language beyond a language. All may be left out.
type walkedLanguage struct {
	// edges lists what depends on the declaration at a place; nil: nothing is known of the language.
	edges func(context.Context, *graph, scout.Node, lsp.Location) ([]scout.Edge, error)
	// hidden are the roles that edges never have, or not every time, though programs of the language have such places.
	hidden []scout.Role
	// used lists what the declaration at a place uses, for open questions; nil: that is not followed.
	used func(context.Context, *graph, scout.Node, lsp.Location) ([]scout.Edge, error)
	// check tries a change of declarations out; nil: nothing is.
	check func(context.Context, *graph, scout.Change, []scout.Node) (scout.Verdict, error)
	// outer returns the declaration around a place; nil: the server's list of declarations tells.
	outer func(*inquiry, lsp.Location) (declaration, error)
	// member says that a symbol, of those that belong to a type, is one of its members as those of an enum are; nil: only
	// those of enums are.
	member func(of, s lsp.Symbol) bool
	// unlisted finds the members of a type with a name that no server lists; nil: it lists all.
	unlisted func(q *inquiry, typ lsp.Symbol, name string) []declaration
}
