package scout

import (
	"context"
	"fmt"
	"strings"
)

// A Graph tells what a walk needs to know about code. Both methods must give
// the same answer in the same order for the same code.
type Graph interface {
	// Resolve finds the declarations that a name may mean, best first. A name
	// that means nothing is a *[NotFoundError]; any other error ends the walk.
	Resolve(ctx context.Context, name string) ([]Node, error)
	// Edges lists the places that depend on n under a change: those that refer to
	// it, and those that its declaration binds. It may leave out what such a change
	// cannot touch. An error costs the walk this node's edges only.
	Edges(ctx context.Context, n Node, c Change) ([]Edge, error)
}

// A Node is a declaration, or a place in one.
type Node struct {
	Name   string // as a person writes it: "Registry.Discover"
	Kind   string // the language's word: "method", "struct"; "" if unknown
	Path   string // relative to the project, with slashes
	Line   int    // 1-based
	Column int    // 1-based, in bytes; 0 if unknown
	Text   string // the source line of a declaration; may be ""
}

// Location returns the node's place as answers show it: "tools/registry.go:41".
func (n Node) Location() string { return fmt.Sprintf("%s:%d", n.Path, n.Line) }

// An Edge is one way in which a place depends on a declaration.
type Edge struct {
	From Node // the declaration that was asked about; the walk sets it; zero for the symbols of the query
	To   Node // the place found; the walk shows it
	Into Node // the declaration that To stands in, from where the walk goes on; zero: To itself

	Role      Role    // what To does with From; one that is not in Roles counts as RoleReference
	Reason    string  // one line, why the graph sees an edge here; may be ""
	Snippet   string  // source, beginning with the line of To; may be ""
	Hover     string  // what the language server shows at To; may be ""
	Enclosing string  // name of the declaration that To stands in; "": none, or To itself
	Test      bool    // To stands in test code
	Certain   bool    // something other than a score says that To must change, such as a compiler
	Observed  bool    // To was seen to run From: no scorer is asked
	Fix       string  // what to do at To; "": what the change asks of every place of the role
	Rank      int     // orders the edges of one declaration that are alike otherwise: 0 comes first
	Last      bool    // the change ends at To: the walk does not go on from there
	Traits    []Trait // what else is so of To, none twice; TraitTest follows from Test

	Depth int // steps from the symbols of the query; the walk sets it
}

// into returns the declaration that following the edge leads to.
func (e Edge) into() Node {
	if e.Into.Path == "" {
		return e.To
	}
	return e.Into
}

// place identifies an edge for the visited set: two edges on one line of one
// declaration are one thing to look at.
func (e Edge) place() place {
	return place{e.To.Path, e.To.Line, positionOf(e.into())}
}

// line returns the place of whatever stands on the line, as compilers report it.
func (e Edge) line() place { return place{path: e.To.Path, line: e.To.Line} }

type place struct {
	path string
	line int
	into position
}

type position struct {
	path         string
	line, column int
}

func positionOf(n Node) position { return position{n.Path, n.Line, n.Column} }

// A NotFoundError means that a name means nothing in the graph.
type NotFoundError struct {
	Name    string
	Nearest []string // names that are close, best first; may be empty
	Reason  string   // how far the search can be trusted, if that is in doubt; may be ""
	Pending bool     // the search is not over: the same question may find it in a moment
}

func (e *NotFoundError) Error() string {
	switch {
	case e.Pending:
		return e.Name + " is not known yet: " + e.Reason
	case e.Reason == "":
		return "cannot find " + e.Name
	}
	return "cannot find " + e.Name + ": " + e.Reason
}

// Hint names what is near.
func (e *NotFoundError) Hint() string {
	if len(e.Nearest) == 0 {
		return "check the spelling, or pass another name in symbols"
	}
	return "did you mean " + strings.Join(e.Nearest, ", ") + "?"
}
