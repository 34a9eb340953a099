package memory

import (
	"context"
	"fmt"

	"tidepool/internal/wording"
	"tidepool/tools"
)

// MemoryForgetInput is what memory_forget takes.
type MemoryForgetInput struct {
	ID string `json:"id" jsonschema:"minLength=1,maxLength=40" jsonschema_description:"The memory's id, as in mem_3f2a9c01b7de."`
}

// MemoryForgetOutput is what memory_forget returns.
type MemoryForgetOutput struct {
	ID      string `json:"id"`
	Gist    string `json:"gist"`
	Project string `json:"project"`
	Foreign bool   `json:"foreign,omitempty"` // it was of another project
}

// MemoryForget removes a memory for good.
func (t *Toolset) MemoryForget(ctx context.Context, _ tools.Call, in MemoryForgetInput) (MemoryForgetOutput, error) {
	store, own, err := t.Open(ctx)
	if err != nil {
		return MemoryForgetOutput{}, err
	}
	gone, err := store.Forget(ctx, in.ID)
	if err != nil || len(gone) == 0 {
		return MemoryForgetOutput{}, err
	}
	r := rememberedAs(gone[0], own, mostContent)
	return MemoryForgetOutput{ID: r.ID, Gist: r.Gist, Project: r.Project, Foreign: r.Foreign}, nil
}

// Text says what is gone; of another project's memory, which project loses it.
func (o MemoryForgetOutput) Text() string {
	if o.Foreign {
		return fmt.Sprintf("Deleted memory from project '%s': %s\n", o.Project, o.Gist)
	}
	return fmt.Sprintf("Deleted memory: \"%s\" (%s)\n", o.Gist, o.ID)
}

// MemoryFeedbackInput is what memory_feedback takes.
type MemoryFeedbackInput struct {
	ID      string `json:"id" jsonschema:"minLength=1,maxLength=40" jsonschema_description:"The memory's id, as in mem_3f2a9c01b7de."`
	Helpful bool   `json:"helpful" jsonschema_description:"Whether it was right and of use."`
	Comment string `json:"comment,omitempty" jsonschema:"maxLength=2000" jsonschema_description:"What was wrong with it, or what it helped with."`
}

// MemoryFeedbackOutput is what memory_feedback returns.
type MemoryFeedbackOutput struct {
	ID         string  `json:"id"`
	Confidence float64 `json:"confidence"` // from 0 to 1; 0.5 without feedback
}

// MemoryFeedback says whether a memory was of use.
func (t *Toolset) MemoryFeedback(ctx context.Context, _ tools.Call, in MemoryFeedbackInput) (MemoryFeedbackOutput, error) {
	return t.feedback(ctx, in.ID, in.Helpful, in.Comment)
}

func (t *Toolset) feedback(ctx context.Context, id string, helpful bool, comment string) (MemoryFeedbackOutput, error) {
	store, _, err := t.Open(ctx)
	if err != nil {
		return MemoryFeedbackOutput{}, err
	}
	confidence, err := store.Feedback(ctx, id, helpful, comment)
	return MemoryFeedbackOutput{ID: wording.Stored(id, mostName), Confidence: rounded(confidence)}, err
}

// Text is the answer for a model.
func (o MemoryFeedbackOutput) Text() string {
	return fmt.Sprintf("The confidence in %s is %.2f now.\n", o.ID, o.Confidence)
}
