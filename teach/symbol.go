package teach

import "context"

// A Symbol is something to learn: a type, a function, a method.
type Symbol struct {
	ID   string // tells it from all other symbols
	Name string // as a person writes it: "Core", "Logger.Check"
	Kind string // the language's word: "method", "struct"; "" if unknown
	Line string // the source line that declares it; may be ""
}

// A Relation is how one symbol leads to another.
type Relation string

// The relations. What is linked by the first two is needed: it has to be learned
// before. The next three say what is better learned first where nothing that is
// needed contradicts: the interface, the type. The last only leads on.
const (
	Signature      Relation = "signature"      // stands in its parameters, results, fields, methods or base types
	Body           Relation = "body"           // is used in what it does
	Contract       Relation = "contract"       // is an interface that it implements
	Implementation Relation = "implementation" // implements it
	Method         Relation = "method"         // is a method of it
	Dispatch       Relation = "dispatch"       // may be what runs when it calls a method of an interface
	Ran            Relation = "ran"            // tests of the topic ran it, and most others did not; no link of a Source has it
)

// A Link leads from one symbol to another.
type Link struct {
	To       Symbol
	Relation Relation
	Times    int // how often the one refers to the other; at least 1
}

// needed reports whether what is linked to is needed for what links to it.
func (r Relation) needed() bool { return r == Signature || r == Body }

// A Source has the links between symbols.
type Source interface {
	// Links lists what a symbol leads to, each symbol once, without the symbol
	// itself. The same symbol gives the same links in the same order.
	Links(ctx context.Context, s Symbol) ([]Link, error)
}

// A Topic is what somebody wants to understand.
type Topic struct {
	Text   string   // in words
	Seeds  []Symbol // where to begin; the first is the most important
	Told   []Link   // what tests tell of the topic, the most telling first: learned next to the seeds, before what links lead to
	Budget int      // symbols to learn, the seeds among them; 0: [DefaultBudget]
}

// DefaultBudget is the budget of a topic that has none. With 25, 58 % of the ten functions that tell most of a topic were explained in
// modules where most tests run most functions, with 30 64 %: see make bench-teach.
const DefaultBudget = 30
