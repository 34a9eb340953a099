package teach

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf16"

	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools/internal/excerpt"
	"tidepool/tools/internal/page"
	"tidepool/tools/internal/query"
)

// Output is what teach-graph returns: a teaching document. Its units stand in the order to learn them; the
// order of all is tuOrder.
type Output struct {
	Title   string         `json:"tdTitle"`
	Topic   string         `json:"tdTopic"`
	Core    []TeachingUnit `json:"tdCore"`    // the seeds
	Prereqs []TeachingUnit `json:"tdPrereqs"` // one or two steps from them
	Support []TeachingUnit `json:"tdSupport"` // further

	Diagram      string           `json:"tdDiagram"`  // the order as a flowchart in the Mermaid language; "" if there is nothing
	Selector     string           `json:"tdSelector"` // who said what belongs to the topic
	Seeds        []Seed           `json:"tdSeeds"`
	LeftOut      LeftOut          `json:"tdLeftOut"`
	Observed     Observed         `json:"tdObserved"`
	Requests     int              `json:"tdRequests"` // to language servers
	Warning      *string          `json:"warning"`
	Completeness lsp.Completeness `json:"completeness"`

	root   string
	units  []TeachingUnit // all, in order
	advice string         // how to have another selector
}

// LeftOut counts what was found and is not in the document.
type LeftOut struct {
	Open       int    `json:"open"`       // belongs to the topic, but the budget was spent
	Declined   int    `json:"declined"`   // does not belong to the topic, as the selector says
	Cut        int    `json:"cut"`        // the selector was not asked: one symbol uses too many
	Unselected int    `json:"unselected"` // symbols for which the selector had no answer: nothing that only they use was taken
	Unread     int    `json:"unread"`     // symbols that nobody knows what they use
	Reason     string `json:"reason,omitempty"`
}

// A TeachingUnit is one thing to learn.
type TeachingUnit struct {
	Symbol TaughtSymbol `json:"tuSymbol"`
	Depth  int          `json:"tuDepth"` // steps from the nearest seed
	Order  int          `json:"tuOrder"` // its place among all units, from 1
	Needs  []int        `json:"tuNeeds"` // the units that it builds on, by their order
	Group  int          `json:"tuGroup"` // units that build on each other have the same; 0: none does
	Why    string       `json:"tuWhy"`   // why it is here
	Does   Behaviour    `json:"tuDoes"`  // of a function

	display string
	part    teach.Part
	place   string // path:line
}

// A TaughtSymbol is a declaration as the Language Server Protocol writes it: positions count from 0, and UTF-16.
type TaughtSymbol struct {
	Name       string         `json:"lsName"`
	Kind       string         `json:"lsKind"` // SKFunction, SKStruct, …
	Location   TaughtLocation `json:"lsLocation"`
	Signature  string         `json:"lsSignature"` // in one line, cut after 400 characters
	DocComment *string        `json:"lsDocComment"`
}

// A TaughtLocation is where a name stands.
type TaughtLocation struct {
	URI   string      `json:"locUri"`
	Range TaughtRange `json:"locRange"`
}

// A TaughtRange is the text of a name.
type TaughtRange struct {
	Start TaughtPosition `json:"rangeStart"`
	End   TaughtPosition `json:"rangeEnd"`
}

// A TaughtPosition counts lines and UTF-16 code units from 0.
type TaughtPosition struct {
	Line      int `json:"posLine"`
	Character int `json:"posCharacter"`
}

func newOutput(in Input, root string) *Output {
	return &Output{
		Title: "Understanding: " + in.Topic, Topic: in.Topic, Seeds: []Seed{}, root: root,
		Core: []TeachingUnit{}, Prereqs: []TeachingUnit{}, Support: []TeachingUnit{},
	}
}

// fill puts a plan into the document.
func (o *Output) fill(c *codeSource, plan *teach.Plan, about []description) {
	for i, u := range plan.Units {
		made := TeachingUnit{
			Symbol: c.taughtSymbol(about[i]), Depth: u.Depth, Order: i + 1, Needs: []int{}, Group: u.Group,
			Why: plan.Why(i), Does: about[i].does, display: u.Name, part: u.Part(),
		}
		made.place = c.Relative(about[i].symbol.Location.Path) + ":" + strconv.Itoa(about[i].symbol.Location.Range.Start.Line)
		for _, n := range u.Needs {
			made.Needs = append(made.Needs, n+1)
		}
		o.units = append(o.units, made)
		switch u.Part() {
		case teach.Core:
			o.Core = append(o.Core, made)
		case teach.Prereq:
			o.Prereqs = append(o.Prereqs, made)
		case teach.Support:
			o.Support = append(o.Support, made)
		}
	}
	if o.Selector = plan.Selector; len(plan.Units) > 0 {
		o.Diagram = plan.Mermaid()
	}
	o.LeftOut = LeftOut{
		Open: plan.Open, Declined: plan.Declined, Cut: plan.Cut, Unselected: plan.Unselected.Count, Unread: plan.Unread.Count,
	}
	for _, first := range []error{plan.Unselected.First, plan.Unread.First} {
		if first != nil && o.LeftOut.Reason == "" {
			o.LeftOut.Reason = excerpt.OneLine(first.Error())
		}
	}
	c.Doubt(plan.Partial)
}

func (c *codeSource) taughtSymbol(about description) TaughtSymbol {
	at := about.symbol.Location
	if at.Range.End == at.Range.Start {
		at.Range.End.Column += len(about.symbol.Name)
	}
	return TaughtSymbol{
		Name: query.Dotted(about.symbol), Kind: symbolKind(about.symbol.Kind), Signature: about.signature, DocComment: page.Optional(about.doc),
		Location: TaughtLocation{
			URI:   (&url.URL{Scheme: "file", Path: filepath.ToSlash(at.Path)}).String(),
			Range: TaughtRange{Start: c.position(at.Path, at.Range.Start), End: c.position(at.Path, at.Range.End)},
		},
	}
}

// position converts a position to that of the Language Server Protocol.
func (c *codeSource) position(path string, p lsp.Position) TaughtPosition {
	units := max(p.Column-1, 0)
	if f, err := c.Source(path); err == nil {
		line := f.Line(p.Line)
		units = len(utf16.Encode([]rune(line[:min(units, len(line))])))
	}
	return TaughtPosition{Line: max(p.Line-1, 0), Character: units}
}

// symbolKind returns the protocol's name of a kind.
func symbolKind(kind lsp.Kind) string {
	switch kind {
	case lsp.KindType:
		return "SKClass"
	case lsp.KindOther:
		return "SKNull"
	}
	name := "SK"
	for _, word := range strings.Fields(string(kind)) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return name
}

// problem says in one line which seeds mean nothing, or too much.
func (o *Output) problem() string {
	var problems []string
	for _, s := range o.Seeds {
		if s.Problem != "" {
			problems = append(problems, s.Problem)
		}
	}
	return strings.Join(problems, "; ")
}
