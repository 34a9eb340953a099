// Package teach has the tool that explains a topic of code in an order in which it can be learned.
package teach

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools"
	"tidepool/tools/internal/page"
	"tidepool/tools/internal/query"
	"tidepool/tools/lang"
)

//go:embed desc/*.md
var descriptions embed.FS

// A Toolset explains code in the order in which it can be learned. It needs Project, Root, Memory and Selector; use it by pointer.
type Toolset struct {
	Project *lsp.Project
	Root    string       // absolute directory of the project
	Memory  *lang.Memory // what the toolsets of one project have read of it
	// Selector says what belongs to a topic.
	Selector teach.Selector
	// Advice says how to have another selector than the rules that nobody has chosen: a document ends with it. "" if
	// somebody has chosen the selector.
	Advice string
}

// Input is what teach-graph takes.
type Input struct {
	Topic  string      `json:"topic" means:"question" jsonschema:"minLength=1,maxLength=500" jsonschema_description:"What is to be understood, in words: how does a request reach its handler?"`
	Seeds  query.Names `json:"seeds" means:"symbol" jsonschema_description:"Where it begins: one to three types, functions or methods that the topic is about, the most important first: F, T.M, pkg.F, pkg.T.M, or with a file before it, web/src/user.ts:User.rename; an array, or names with commas between them."`
	Budget int         `json:"budget,omitempty" jsonschema:"default=30,maximum=60" jsonschema_description:"How many types and functions to explain at most."`
	tools.Wait
}

// maxSeeds bounds the symbols that an exploration may begin at.
const maxSeeds = 20

// Descriptions returns what a model reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

// TeachGraph explains what a topic consists of: types and functions in an order in which nothing is used before it is
// explained.
func (t *Toolset) TeachGraph(ctx context.Context, call tools.Call, in Input) (*Output, error) {
	if t.Selector == nil {
		return nil, errors.New("teach-graph has no selector")
	}
	if n := len(in.Seeds); n == 0 || n > maxSeeds {
		return nil, &query.HintedError{
			What:   fmt.Sprintf("cannot explore from %d seeds: it takes 1 to %d", n, maxSeeds),
			Advice: `name the types or functions that the topic is about, such as ["Registry.Discover"]`,
		}
	}
	view, err := tools.Look(ctx, call, t.Project, in.Wait)
	if err != nil {
		return nil, err
	}
	c := &codeSource{maxRequests: maxTeachRequests, Query: t.Memory.Query(view, t.Root, lang.Options{})}
	out, err := c.teach(ctx, call, in, t.Selector)
	if err != nil {
		return nil, err
	}
	out.advice = t.Advice
	return out, nil
}

// teach makes the plan and describes what stands in it.
func (c *codeSource) teach(ctx context.Context, call tools.Call, in Input, selector teach.Selector) (*Output, error) {
	out := newOutput(in, c.Root)
	topic := teach.Topic{Text: in.Topic, Budget: in.Budget}
	var begin []lsp.Symbol
	for _, name := range in.Seeds {
		seed, symbol, err := c.seed(ctx, name)
		if err != nil {
			return nil, err
		}
		if out.Seeds = append(out.Seeds, seed); seed.Problem == "" {
			topic.Seeds, begin = append(topic.Seeds, c.symbol(symbol)), append(begin, symbol)
		}
	}
	seen := c.observe(ctx, &topic, begin)
	c.report = func(done int) {
		call.Report(tools.Progress{Done: float64(done), Total: float64(max(in.Budget, done)), Message: "exploring"})
	}
	plan, described, err := c.explore(ctx, selector, topic)
	switch {
	case c.Late("what belongs to "+in.Topic, err):
	case err != nil:
		return nil, err
	default:
		out.fill(c, plan, described)
		out.Observed = seen.of(plan)
	}
	out.Requests = c.View.Requests()
	out.Completeness = c.Doubted(c.View.Completeness())
	out.Warning = page.Warning(out.problem(), out.Completeness)
	return out, nil
}

// explore makes the plan and describes it.
func (c *codeSource) explore(ctx context.Context, selector teach.Selector, topic teach.Topic) (plan *teach.Plan, described []description, err error) {
	if plan, err = teach.Explore(ctx, c, selector, topic); err != nil {
		return plan, nil, fmt.Errorf("exploring %s: %w", topic.Text, err)
	}
	described, err = c.describe(ctx, plan)
	return plan, described, err
}

// A Seed is what one name of the seeds resolved to.
type Seed struct {
	Name       string            `json:"name"`
	Problem    string            `json:"problem,omitempty"` // why it is not in the document
	Candidates []query.Candidate `json:"candidates,omitempty"`
	Nearest    []string          `json:"nearest,omitempty"`
}

// seed finds the one declaration that a name means.
func (c *codeSource) seed(ctx context.Context, name string) (Seed, lsp.Symbol, error) {
	r, err := c.Resolve(ctx, name, explainable, func(lsp.Symbol) bool { return true })
	if err != nil {
		return Seed{}, lsp.Symbol{}, err
	}
	seed := Seed{Name: name, Candidates: r.Candidates, Nearest: r.Nearest}
	if r.Found {
		return seed, r.Symbol, nil
	}
	seed.Problem = c.NotFound(r, name, "declaration")
	return seed, lsp.Symbol{}, nil
}

// explainable reports whether a symbol can be a unit of its own.
func explainable(s lsp.Symbol) bool { return query.IsType(s.Kind) || query.Callable(s.Kind) }
