package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tidepool/internal/moment"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// MemoryRecallInput is what memory_recall takes.
type MemoryRecallInput struct {
	Query   string   `json:"query" means:"question" jsonschema:"minLength=1,maxLength=10000" jsonschema_description:"What you would like to know, in your own words; names, errors and files are the best words."`
	Limit   int      `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=50,default=5" jsonschema_description:"How many memories to return."`
	Project string   `json:"project,omitempty" jsonschema:"maxLength=500" jsonschema_description:"Only memories of this project: its name, path or key."`
	Scope   string   `json:"scope,omitempty" jsonschema:"enum=project,enum=user,enum=all,enum=team" jsonschema_description:"Whose memories: of this project, those for all projects of the user, all, or the team's. Without it, what recall.scope says."`
	Kind    []string `json:"kind,omitempty" jsonschema:"maxItems=10" jsonschema_description:"Only these kinds: note, preference, decision, fix, command, experience, value, session, checkpoint, remediation."`
	Outcome string   `json:"outcome,omitempty" jsonschema:"enum=success,enum=failure,enum=abandoned" jsonschema_description:"Only what ended so."`
	Since   string   `json:"since,omitempty" jsonschema:"maxLength=60" jsonschema_description:"Only memories since then: 2w (m, h, d, w, y), yesterday, 2025-11-03, or RFC 3339."`
	Session string   `json:"session,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Only what was learned in this session."`
}

// MemoryRecallOutput is what memory_recall returns.
type MemoryRecallOutput struct {
	Memories []remembered `json:"memories"` // best first
	state
	now time.Time
}

// A state says whether an answer covers all memories.
type state struct {
	Complete bool   `json:"complete"`
	Why      string `json:"why,omitempty"` // it is not complete
}

// off returns the state of an answer while recall is off.
func off(err error) state {
	why := wording.Stored(err.Error(), 300)
	if hint := wording.HintOf(err); hint != "" {
		why += " (" + wording.Stored(hint, 200) + ")"
	}
	return state{Why: why}
}

func (s state) text() string {
	if s.Complete {
		return ""
	}
	return "Incomplete: " + s.Why + "\n"
}

// MemoryRecall finds memories by what they say.
func (t *Toolset) MemoryRecall(ctx context.Context, call tools.Call, in MemoryRecallInput) (*MemoryRecallOutput, error) {
	kinds, err := kindsOf(call.Tool, in.Kind)
	if err != nil {
		return nil, err
	}
	since, err := moment.Parse(in.Since, t.now())
	if err != nil {
		return nil, err
	}
	return t.recall(ctx, recall.Query{
		Text: in.Query, Limit: in.Limit, Project: in.Project, Scope: in.Scope, Kinds: kinds, Outcome: memory.Outcome(in.Outcome), Since: since, Session: in.Session,
	})
}

// recall finds memories. While recall is off it finds none, and says why.
func (t *Toolset) recall(ctx context.Context, q recall.Query) (*MemoryRecallOutput, error) {
	out := &MemoryRecallOutput{Memories: []remembered{}, now: t.now()}
	store, own, err := t.Open(ctx)
	if err != nil {
		out.state = off(err)
		return out, nil
	}
	found, err := store.Recall(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, hit := range found.Memories {
		out.Memories = append(out.Memories, rememberedHit(hit, own))
	}
	out.state = state{found.Complete, wording.Stored(found.Why, 300)}
	return out, nil
}

// Text is the answer for a model.
func (o *MemoryRecallOutput) Text() string {
	var b strings.Builder
	if len(o.Memories) == 0 {
		return "No memory found.\n" + o.text()
	}
	fmt.Fprintf(&b, "%s, best first. %s\n", wording.Count(len(o.Memories), "memory"), stored)
	for i, r := range o.Memories {
		fmt.Fprintf(&b, "%s%d  %s\n", r.attribution(), i+1, r.heading(o.now))
		if r.more() {
			b.WriteString(quoted(r.Content))
		}
	}
	return b.String() + o.text()
}

// more reports whether the content says more than the gist.
func (r remembered) more() bool { return wording.OneLine(r.Content) != r.Gist }

// kindsOf returns kinds by their names; an argument error for one that there is not.
func kindsOf(tool string, names []string) ([]memory.Kind, error) {
	var kinds []memory.Kind
	for _, name := range names {
		kind := memory.Kind(name)
		if !slices.Contains(recall.Kinds(), kind) {
			return nil, &tools.ArgumentError{
				Tool: tool, Problems: []string{fmt.Sprintf("kind: there is no kind %q", wording.Line(name, 40))}, Accepts: "kind as a list of " + strings.Join(kindNames(), ", "),
			}
		}
		kinds = append(kinds, kind)
	}
	return kinds, nil
}

func kindNames() []string {
	var names []string
	for _, k := range recall.Kinds() {
		names = append(names, string(k))
	}
	return names
}
