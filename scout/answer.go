package scout

import (
	"strconv"
	"strings"
	"time"
)

// An Answer is what a walk found.
type Answer struct {
	Summary          string            `json:"summary"`      // a few sentences
	Pointers         []Pointer         `json:"pointers"`     // what the query names, then what is certain, then best first
	NodesVisited     int               `json:"nodesVisited"` // declarations, those of certain places apart; at most Understood.Budget
	TrainingExamples []TrainingExample `json:"trainingExamples"`

	Scorer     string     `json:"scorer"`
	ModelCalls int        `json:"model_calls"` // that the scorer needed for this answer
	Understood Understood `json:"understood"`
	Check      Checked    `json:"check"`
	Symbols    []Symbol   `json:"symbols"`  // one per name of the query
	Unscored   Failures   `json:"unscored"` // edges that the scorer failed on
	Unread     Failures   `json:"unread"`   // visited places whose edges the graph failed to tell
	LeftOut    LeftOut    `json:"left_out"`
	Partial    string     `json:"partial,omitempty"` // why the walk was cut short; "": it was not

	// Completeness is how complete the graph was, as its maker says. The walk
	// leaves it nil.
	Completeness any `json:"completeness,omitempty"`

	Scoring time.Duration `json:"-"` // how long the scorer took: no two walks take the same
}

// A Pointer is one place to look at.
type Pointer struct {
	Location  string  `json:"location"`  // "path:line" below the project
	What      string  `json:"what"`      // the declaration it stands in, and the source line
	In        string  `json:"in"`        // the declaration it stands in, or that it is; "" at the level of the file
	Risk      int     `json:"risk"`      // 1 to 5; 0: not scored
	Relevance int     `json:"relevance"` // 1 to 5; 0: not scored
	Tags      []Tag   `json:"tags"`
	Action    string  `json:"action"`             // what to do there; "": only worth a look
	Certain   bool    `json:"certain"`            // a compiler or its like says so, not a score
	Observed  bool    `json:"observed,omitempty"` // it was seen to run what the query names
	Role      Role    `json:"role"`
	Traits    []Trait `json:"traits,omitempty"` // what else is so of the place; none: nothing that the language tells
	Reason    string  `json:"reason,omitempty"`
	Depth     int     `json:"depth"` // steps from the symbols of the query
	// Weighed is why the place stands where it does, if the query asks for it.
	Weighed []Weighed `json:"weighed,omitempty"`
}

// A Symbol tells what became of one name of the query.
type Symbol struct {
	Name    string      `json:"name"`
	Found   []Candidate `json:"found"`             // what it may mean, best first; more than one: it is ambiguous
	Walked  int         `json:"walked"`            // how many of Found, from the front, the walk began at
	Problem string      `json:"problem,omitempty"` // why nothing or not everything was walked
}

// A Candidate is a declaration that a name may mean.
type Candidate struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Location string `json:"location"` // "path:line"
}

// Failures counts things that went wrong alike.
type Failures struct {
	Count  int    `json:"count"`
	Reason string `json:"reason,omitempty"` // of the first
	Hint   string `json:"hint,omitempty"`   // what mends the first
}

// Checked is what came of trying the change where nobody else sees it.
type Checked struct {
	Tried   bool   `json:"tried"`
	Rounds  int    `json:"rounds"`            // edits tried, one after the errors of the other
	Broken  int    `json:"broken"`            // places that a compiler then refused
	Refusal string `json:"refusal,omitempty"` // why it was not tried, or not wholly
	// Lost names methods of interfaces that what the query names implements, and does not after the change: of those that a program asks
	// for only while it runs.
	Lost []string `json:"lost,omitempty"`

	all bool // the compiler has seen everything that such a change breaks, in the files that it reads
}

func (c Checked) settled() bool { return c.all }

// LeftOut counts the places that were found and are not in the answer.
type LeftOut struct {
	Certain    int `json:"certain"`    // certain, but beyond what one answer lists
	Open       int `json:"open"`       // not visited, because the budget was spent
	Cut        int `json:"cut"`        // never judged: too many of one declaration, or for one model
	Irrelevant int `json:"irrelevant"` // scored 1: nothing that the change touches
	Context    int `json:"context"`    // neither to be changed nor to be looked at for such a change
	Unfollowed int `json:"unfollowed"` // declarations behind which there may be more, not places
}

// Ordered reports whether the scorer decided which places the answer lists, and in
// which order.
func (a *Answer) Ordered() bool {
	_, others := a.Touched()
	return len(others) > 0 && a.Understood.Change.ranked()
}

// path returns the file of the pointer's location.
func (p Pointer) path() string {
	path, _ := p.Place()
	return path
}

// Place returns the file and the line of the pointer's location.
func (p Pointer) Place() (path string, line int) {
	i := strings.LastIndexByte(p.Location, ':')
	if i < 0 {
		return p.Location, 0
	}
	line, err := strconv.Atoi(p.Location[i+1:])
	if err != nil {
		return p.Location, 0
	}
	return p.Location[:i], line
}
