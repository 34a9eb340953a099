package scout

import (
	"context"
	"strings"
)

// Heuristic scores edges by fixed rules: what the kind of change means for the
// edge's role. It runs only where somebody chose it by name; nothing falls back
// to it.
type Heuristic struct{}

// Name is "heuristic".
func (Heuristic) Name() string { return "heuristic" }

// Score never fails, but for a ctx that has ended.
func (Heuristic) Score(ctx context.Context, q Query, edges []Edge) ([]Score, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	scores := make([]Score, len(edges))
	for i, e := range edges {
		scores[i] = Score{Rubric: heuristicRubric(q.Change.Kind, e), Reason: e.Reason}
	}
	return scores, nil
}

func heuristicRubric(kind ChangeKind, e Edge) Rubric {
	r := ruleAt(kind, e)
	rubric := Rubric{Relevance: r.relevance, Risk: r.risk, Complexity: 2, Confidence: 4, Tags: TagsOf(kind, e)}
	if e.Test && e.Role != RoleTest {
		rubric.Relevance = max(1, rubric.Relevance-1)
	}
	if e.Depth > 3 {
		rubric.Complexity = 4
	}
	switch {
	case e.Certain:
		rubric.Confidence = 5
	case e.Role == RoleReference:
		rubric.Confidence = 2
	}
	return rubric
}

// TagsOf returns the tags that follow from an edge's role under a kind of change,
// so that no scorer has to guess them. The result is never nil.
func TagsOf(kind ChangeKind, e Edge) []Tag {
	tags := append([]Tag{}, roleTags[e.Role]...)
	if r := ruleAt(kind, e); addsOne(kind) && r.risk >= 4 {
		tags = append(tags, TagBreaksOnAdd)
	}
	if e.Depth > 0 && e.Role == RoleCall && positionOf(e.into()) == positionOf(e.From) {
		tags = append(tags, TagRecursive)
	}
	return tags
}

func addsOne(kind ChangeKind) bool { return strings.HasPrefix(string(kind), "add_") }

var roleTags = map[Role][]Tag{
	RoleImplementation:  {TagImplementation},
	RoleInterfaceMethod: {TagSignature},
	RoleAssertion:       {TagImplementation},
	RoleLiteral:         {TagConstructor},
	RoleEmbedding:       {TagTypeFamily},
	RolePromotion:       {TagTypeFamily},
	RoleSwitch:          {TagExhaustive, TagPatternMatch},
	RoleTypeSwitch:      {TagPatternMatch, TagTypeFamily},
	RoleTable:           {TagExhaustive},
	RoleStringMethod:    {TagTypeFamily},
	RoleMember:          {TagTypeFamily, TagConstructor},
	RoleTypeUse:         {TagSignature},
	RoleMock:            {TagImplementation},
	RoleImport:          {TagImport},
	RoleReExport:        {TagReExport},
}
