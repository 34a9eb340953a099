package scout

import (
	"fmt"
	"strings"
)

// A Query is a question about a change.
type Query struct {
	Text    string   `json:"query"`             // the question, in words; required
	Symbols []string `json:"symbols,omitempty"` // where to start; empty: the identifiers in Text
	Depth   Depth    `json:"depth,omitempty"`   // how much to look at; "": Medium
	Change  Change   `json:"change,omitzero"`   // what kind of edit is meant; zero: inferred from Text
	Explain bool     `json:"explain,omitempty"` // say of each place why it stands where it does

	tiers [][]string // names that Text may mean, the likeliest first; none if Symbols are given
}

// cleanNames trims names and drops empty and repeated ones; order is kept.
func cleanNames(names []string) []string {
	var kept []string
	seen := make(map[string]bool)
	for _, name := range names {
		name = strings.TrimSpace(name)
		if name != "" && !seen[name] {
			seen[name] = true
			kept = append(kept, name)
		}
	}
	return kept
}

// A Depth says how many nodes a walk may visit.
type Depth string

// The depths, and what each may spend.
const (
	Low    Depth = "low"    // 10 nodes
	Medium Depth = "medium" // 30 nodes
	High   Depth = "high"   // 100 nodes
)

// ParseDepth reads a depth in any capitalisation; "" is Medium. Any other text
// is a *[QueryError] that names the three.
func ParseDepth(text string) (Depth, error) {
	switch d := Depth(strings.ToLower(strings.TrimSpace(text))); d {
	case "":
		return Medium, nil
	case Low, Medium, High:
		return d, nil
	}
	return "", &QueryError{Field: "depth", Problem: fmt.Sprintf("%q is not low, medium or high", text)}
}

// Budget returns the number of nodes a walk of depth d visits at most.
func (d Depth) Budget() int {
	switch d {
	case Low:
		return 10
	case High:
		return 100
	}
	return 30
}

// Limits of a query.
const (
	maxSymbols = 20
	maxText    = 2000 // runes that scorers and answers see; all of it is read for names and the kind of change
	maxDetail  = 400  // runes
)

// A QueryError says which part of a query cannot be used, and why.
type QueryError struct {
	Field   string // query, symbols, depth or change, as in JSON
	Problem string
}

func (e *QueryError) Error() string { return "cannot use " + e.Field + ": " + e.Problem }

// Hint says what to send instead.
func (e *QueryError) Hint() string {
	switch e.Field {
	case "query":
		return `say in words what is to change, for example "what breaks if Encode takes a context?"`
	case "symbols":
		return "put the name of what changes in backquotes, or pass symbols: names such as [\"Registry.Discover\", \"protocol.Request\"]; " +
			"how something works, teach-graph explains"
	case "depth":
		return "low looks at 10 places, medium at 30, high at 100"
	case "change":
		return "leave change out to have it read from the words of the query"
	}
	return ""
}

// Understood is how a query was read. Every answer carries it, so that a
// misreading can be seen and put right.
type Understood struct {
	Change      ChangeKind `json:"change"`
	Detail      string     `json:"detail,omitempty"`    // as the caller gave it
	Edit        string     `json:"edit,omitempty"`      // the edit as code, before and after: "func F() → func F() error"; "": none is known
	Direction   string     `json:"direction,omitempty"` // of an open question: "uses", "users" or "writers"; "": all that has to do with it
	Unsure      bool       `json:"unsure,omitempty"`    // the words may mean another change as well
	Meant       ChangeKind `json:"meant,omitempty"`     // the kind that was understood of an edit that was not, so that Change is Other
	Ask         []string   `json:"ask,omitempty"`       // values of change that would say for certain which edit is meant, in JSON
	Inferred    bool       `json:"inferred"`            // the change was read from the words of the query
	Because     []string   `json:"because,omitempty"`   // what it was read from, the most telling first
	Doubt       string     `json:"doubt,omitempty"`     // what else the words may mean, or why they were not taken for what they seem to mean
	Symbols     []string   `json:"symbols"`
	SymbolsFrom string     `json:"symbols_from"` // "symbols", or "query" when they were taken from its words
	Depth       Depth      `json:"depth"`
	Budget      int        `json:"budget"` // nodes
}

// understand fills in what the query leaves open.
func (q Query) understand() (Query, Understood, error) {
	var err error
	q.Text = strings.TrimSpace(q.Text)
	if q.Text == "" {
		return q, Understood{}, &QueryError{Field: "query", Problem: "it is empty"}
	}
	if q.Depth, err = ParseDepth(string(q.Depth)); err != nil {
		return q, Understood{}, err
	}
	u := Understood{SymbolsFrom: "symbols", Depth: q.Depth, Budget: q.Depth.Budget()}
	if u.Inferred = q.Change.Kind == ""; !u.Inferred {
		if q.Change.Kind, err = ParseChangeKind(string(q.Change.Kind)); err != nil {
			return q, Understood{}, err
		}
	}
	if q.Symbols = cleanNames(q.Symbols); len(q.Symbols) == 0 {
		if u.SymbolsFrom, q.tiers = "query", identifiersIn(q.Text); len(q.tiers) > 0 {
			q.Symbols = q.tiers[0]
		}
	}
	switch n := len(q.Symbols); {
	case n == 0:
		return q, Understood{}, &QueryError{Field: "symbols", Problem: "none were given, and the query names no identifier"}
	case n > maxSymbols:
		return q, Understood{}, &QueryError{Field: "symbols", Problem: fmt.Sprintf("%d were given, %d can be walked", n, maxSymbols)}
	}
	u.Symbols = q.Symbols
	return q, u, nil
}
