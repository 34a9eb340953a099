package oldnames

import (
	"context"
	"errors"
	"slices"

	"tidepool/internal/moment"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/tools"
)

// StoreMemoryInput is what store_memory takes.
type StoreMemoryInput struct {
	Content    string   `json:"content" jsonschema:"minLength=1,maxLength=20000" jsonschema_description:"What to keep."`
	Category   string   `json:"category,omitempty" jsonschema:"maxLength=40" jsonschema_description:"preference and decision become these kinds, error a fix, others a note; it is kept as a tag."`
	Importance *float64 `json:"importance,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Accepted and not used: feedback decides."`
	Tags       []string `json:"tags,omitempty" jsonschema:"maxItems=15" jsonschema_description:"Words to find it by."`
}

// An oldMemory is a memory as older clients know it.
type oldMemory struct {
	ID         string   `json:"id"`
	Content    string   `json:"content"`
	Category   string   `json:"category"`
	Importance float64  `json:"importance"` // what feedback says, from 0 to 1
	Tags       []string `json:"tags"`
	CreatedAt  string   `json:"created_at"`
	Score      float64  `json:"score,omitempty"`
	Project    string   `json:"project"`
}

func oldMemoryOf(m memory.Memory, score float64) oldMemory {
	category := tagged(m.Tags, "category")
	if category == "" {
		category = string(m.Kind)
	}
	tags := slices.DeleteFunc(append([]string{}, m.Tags...), func(tag string) bool { return tag == "category:"+category })
	return oldMemory{m.ID, m.Content, category, m.Alpha / (m.Alpha + m.Beta), tags, stamp(m.Created), score, m.Project.Name}
}

// kindOf returns the kind that a category is.
func kindOf(category string) memory.Kind {
	switch category {
	case "preference":
		return memory.Preference
	case "decision":
		return memory.Decision
	case "error":
		return memory.Fix
	}
	return memory.Note
}

// StoreMemoryOutput is what store_memory returns.
type StoreMemoryOutput struct {
	ID   string `json:"id"`
	Kept string `json:"kept"`
}

// StoreMemory keeps a memory.
func (t *Toolset) StoreMemory(ctx context.Context, call tools.Call, in StoreMemoryInput) (StoreMemoryOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return StoreMemoryOutput{}, err
	}
	d := memory.Draft{Kind: kindOf(in.Category), Trust: memory.Saved, Content: in.Content, Source: call.Tool, Session: call.Caller.Session, Tags: in.Tags}
	if in.Category != "" {
		d.Tags = append([]string{"category:" + in.Category}, in.Tags...)
	}
	saved, err := o.Save(ctx, d)
	return StoreMemoryOutput{saved.ID, saved.Kept}, err
}

// RetrieveMemoriesInput is what retrieve_memories takes.
type RetrieveMemoriesInput struct {
	Query         string  `json:"query" jsonschema:"minLength=1,maxLength=10000" jsonschema_description:"What to look for."`
	Limit         int     `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10" jsonschema_description:"How many to return."`
	Category      string  `json:"category,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Only this category, among the 50 best."`
	MinImportance float64 `json:"min_importance,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Only those of which feedback says at least so much; 0.5 is none."`
}

// MemoriesOutput is what retrieve_memories and list_memories return.
type MemoriesOutput struct {
	Results  []oldMemory `json:"results"`
	Count    int         `json:"count"`
	Complete bool        `json:"complete"`
	Why      string      `json:"why,omitempty"`
}

// RetrieveMemories finds memories by what they say.
func (t *Toolset) RetrieveMemories(ctx context.Context, call tools.Call, in RetrieveMemoriesInput) (*MemoriesOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return nil, err
	}
	found, err := o.Recall(ctx, recall.Query{Text: in.Query, Limit: mostChosen})
	if err != nil {
		return nil, err
	}
	out := &MemoriesOutput{Results: []oldMemory{}, Complete: found.Complete, Why: found.Why}
	for _, hit := range found.Memories {
		m := oldMemoryOf(hit.Memory, hit.Score)
		if (in.Category == "" || m.Category == in.Category) && m.Importance >= in.MinImportance && len(out.Results) < in.Limit {
			out.Results = append(out.Results, m)
		}
	}
	out.Count = len(out.Results)
	return out, nil
}

// ListMemoriesInput is what list_memories takes.
type ListMemoriesInput struct {
	Category string `json:"category,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Only this category."`
	Limit    int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=50" jsonschema_description:"How many to return."`
	Offset   int    `json:"offset,omitempty" jsonschema:"minimum=0,maximum=800,default=0" jsonschema_description:"How many of the newest to leave out."`
}

// ListMemories lists the memories of the project, the newest first.
func (t *Toolset) ListMemories(ctx context.Context, call tools.Call, in ListMemoriesInput) (*MemoriesOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return nil, err
	}
	found, err := o.List(ctx, recall.ListQuery{Project: o.project.Key, Limit: mostListed})
	if err != nil {
		return nil, err
	}
	out := &MemoriesOutput{Results: []oldMemory{}, Complete: len(found) < mostListed}
	if !out.Complete {
		out.Why = "only the newest 1000 memories are listed"
	}
	skip := in.Offset
	for _, one := range found {
		m := oldMemoryOf(one, 0)
		if in.Category != "" && m.Category != in.Category {
			continue
		}
		if skip--; skip < 0 && len(out.Results) < in.Limit {
			out.Results = append(out.Results, m)
		}
	}
	out.Count = len(out.Results)
	return out, nil
}

// mostListed is how many memories a list chooses from.
const mostListed = 1000

// DeleteMemoryInput is what delete_memory takes.
type DeleteMemoryInput struct {
	MemoryID string `json:"memory_id" jsonschema:"minLength=1,maxLength=80" jsonschema_description:"The memory's id."`
}

// DeleteMemoryOutput is what delete_memory returns.
type DeleteMemoryOutput struct {
	Deleted bool `json:"deleted"` // there was one
}

// DeleteMemory removes a memory for good.
func (t *Toolset) DeleteMemory(ctx context.Context, call tools.Call, in DeleteMemoryInput) (DeleteMemoryOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return DeleteMemoryOutput{}, err
	}
	gone, err := o.Forget(ctx, in.MemoryID)
	if _, unknown := errors.AsType[*recall.UnknownError](err); unknown {
		err = nil
	}
	return DeleteMemoryOutput{len(gone) > 0}, err
}

// MemoryRecordInput is what memory_record takes.
type MemoryRecordInput struct {
	Title       string   `json:"title" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"One line."`
	Content     string   `json:"content" jsonschema:"minLength=1,maxLength=10000" jsonschema_description:"What was learned."`
	Outcome     string   `json:"outcome" jsonschema:"enum=success,enum=failure" jsonschema_description:"How it ended."`
	Tags        []string `json:"tags,omitempty" jsonschema:"maxItems=16" jsonschema_description:"Words to find it by."`
	SessionID   string   `json:"session_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"The session it was learned in."`
	SessionDate string   `json:"session_date,omitempty" jsonschema:"maxLength=60" jsonschema_description:"When, in RFC 3339."`
	ProjectID   string   `json:"project_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Accepted and not used: the memory is of the project of this daemon."`
	TenantID    string   `json:"tenant_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Accepted and not used."`
}

// MemoryRecordOutput is what memory_record returns.
type MemoryRecordOutput struct {
	ID         string  `json:"id"`
	Title      string  `json:"title"`
	Outcome    string  `json:"outcome"`
	Confidence float64 `json:"confidence"` // from 0 to 1; feedback changes it
}

// MemoryRecord keeps a memory with a title and an outcome.
func (t *Toolset) MemoryRecord(ctx context.Context, call tools.Call, in MemoryRecordInput) (MemoryRecordOutput, error) {
	at, err := moment.Parse(in.SessionDate, t.now())
	if err != nil {
		return MemoryRecordOutput{}, err
	}
	o, err := t.open(ctx, call)
	if err != nil {
		return MemoryRecordOutput{}, err
	}
	d := memory.Draft{
		Trust: memory.Saved, Gist: in.Title, Content: in.Content, Outcome: memory.Outcome(in.Outcome), Source: call.Tool, Session: in.SessionID, Tags: in.Tags, At: at,
	}
	if d.Session == "" {
		d.Session = call.Caller.Session
	}
	saved, err := o.Save(ctx, d)
	return MemoryRecordOutput{saved.ID, in.Title, in.Outcome, 0.5}, err
}

// MemoryOutcomeInput is what memory_outcome takes.
type MemoryOutcomeInput struct {
	MemoryID  string `json:"memory_id" jsonschema:"minLength=1,maxLength=80" jsonschema_description:"The memory's id."`
	Succeeded bool   `json:"succeeded" jsonschema_description:"Whether the work that used it succeeded."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Accepted and not used."`
	ProjectID string `json:"project_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Accepted and not used."`
	TenantID  string `json:"tenant_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Accepted and not used."`
}

// MemoryOutcomeOutput is what memory_outcome returns.
type MemoryOutcomeOutput struct {
	NewConfidence float64 `json:"new_confidence"`
}

// MemoryOutcome says how work ended that used a memory.
func (t *Toolset) MemoryOutcome(ctx context.Context, call tools.Call, in MemoryOutcomeInput) (MemoryOutcomeOutput, error) {
	o, err := t.open(ctx, call)
	if err != nil {
		return MemoryOutcomeOutput{}, err
	}
	confidence, err := o.Feedback(ctx, in.MemoryID, in.Succeeded, "the work that used it ended")
	return MemoryOutcomeOutput{confidence}, err
}
