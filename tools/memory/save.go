package memory

import (
	"context"
	"fmt"
	"strings"

	"tidepool/internal/moment"
	"tidepool/internal/recall/memory"
	"tidepool/tools"
)

// MemorySaveInput is what memory_save takes.
type MemorySaveInput struct {
	Content    string   `json:"content" jsonschema:"minLength=1,maxLength=20000" jsonschema_description:"What is to be remembered, in whole sentences that are clear without this conversation. 4,000 characters are kept."`
	Kind       string   `json:"kind,omitempty" jsonschema:"enum=note,enum=preference,enum=decision,enum=fix,enum=command,default=note" jsonschema_description:"What it is: preference, how the user wants things done; decision, what was chosen and why; fix, what failed and what ended it; command, what works."`
	Gist       string   `json:"gist,omitempty" jsonschema:"maxLength=2000" jsonschema_description:"One line of at most 240 characters, which is shown at a prompt. Without it, the first line of the content."`
	Scope      string   `json:"scope,omitempty" jsonschema:"enum=project,enum=user,enum=team,default=project" jsonschema_description:"For this project, for all projects of the user, or for the team."`
	Outcome    string   `json:"outcome,omitempty" jsonschema:"enum=success,enum=failure,enum=abandoned" jsonschema_description:"How what it tells of ended."`
	Tags       []string `json:"tags,omitempty" jsonschema:"maxItems=16" jsonschema_description:"Words to find it by."`
	Files      []string `json:"files,omitempty" jsonschema:"maxItems=32" jsonschema_description:"Paths that it is about, relative to the project."`
	Supersedes string   `json:"supersedes,omitempty" jsonschema:"maxLength=40" jsonschema_description:"The id of the memory that this one corrects."`
	Session    string   `json:"session,omitempty" jsonschema:"maxLength=200" jsonschema_description:"The session it was learned in. Without it, this one."`
	At         string   `json:"at,omitempty" jsonschema:"maxLength=60" jsonschema_description:"When it was learned: yesterday, 2w (ago), 2025-11-03, or RFC 3339. Without it, now."`
}

// MemorySaveOutput is what memory_save returns.
type MemorySaveOutput struct {
	ID       string   `json:"id"`
	Kept     string   `json:"kept"`               // new, merged with what says the same, or superseded another one
	Scrubbed []string `json:"scrubbed,omitempty"` // kinds of secrets that were taken out
	Cut      bool     `json:"cut,omitempty"`      // the content was too long: its beginning was kept
}

// MemorySave keeps a memory. It returns when the memory is on the disk.
func (t *Toolset) MemorySave(ctx context.Context, call tools.Call, in MemorySaveInput) (MemorySaveOutput, error) {
	at, err := moment.Parse(in.At, t.now())
	if err != nil {
		return MemorySaveOutput{}, err
	}
	return t.save(ctx, call, memory.Draft{
		Scope: memory.Scope(in.Scope), Kind: memory.Kind(in.Kind), Gist: in.Gist, Content: in.Content, Outcome: memory.Outcome(in.Outcome),
		Session: in.Session, Tags: in.Tags, Files: in.Files, Supersedes: in.Supersedes, At: at,
	})
}

// save keeps what a tool was given, of the caller's session if no other is named.
func (t *Toolset) save(ctx context.Context, call tools.Call, d memory.Draft) (MemorySaveOutput, error) {
	store, _, err := t.Open(ctx)
	if err != nil {
		return MemorySaveOutput{}, err
	}
	d.Trust, d.Source = memory.Saved, call.Tool
	if d.Session == "" {
		d.Session = call.Caller.Session
	}
	saved, err := store.Save(ctx, d)
	return MemorySaveOutput{ID: saved.ID, Kept: saved.Kept, Scrubbed: saved.Scrubbed, Cut: saved.Cut}, err
}

// Text is the answer for a model.
func (o MemorySaveOutput) Text() string {
	text := "Saved as " + o.ID
	switch o.Kept {
	case "merged":
		text = "Merged with " + o.ID + ", which says the same; its text is the new one now"
	case "superseded":
		text += ", in the place of the one that it supersedes"
	}
	if o.Cut {
		text += ". It was too long, and its end is not kept"
	}
	if len(o.Scrubbed) > 0 {
		text += fmt.Sprintf(". Secrets were taken out: %s", strings.Join(o.Scrubbed, ", "))
	}
	return text + ".\n"
}
