package memory

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// A checkpoint is a memory whose content has three parts with lines of --- between them: summary, context, full state. A part that is too
// long is cut, which a tag says.
const (
	rule        = "\n\n---\n\n"
	mostSummary = 600  // characters
	mostState   = 1600 // characters of the context and of the full state
	cutTag      = "cut:"
	autoTag     = "auto"
)

// CheckpointSaveInput is what checkpoint_save takes.
type CheckpointSaveInput struct {
	Summary     string   `json:"summary" jsonschema:"minLength=1,maxLength=2000" jsonschema_description:"Where the work stands, in a few sentences; 600 characters are kept."`
	Context     string   `json:"context,omitempty" jsonschema:"maxLength=20000" jsonschema_description:"What one must know to go on: files, decisions, next steps; 1,600 characters are kept."`
	FullState   string   `json:"full_state,omitempty" jsonschema:"maxLength=100000" jsonschema_description:"Everything else worth having; 1,600 characters are kept."`
	Name        string   `json:"name,omitempty" jsonschema:"maxLength=200" jsonschema_description:"A short title."`
	Description string   `json:"description,omitempty" jsonschema:"maxLength=500" jsonschema_description:"One line beside the title. Without it, the summary's first line."`
	Tags        []string `json:"tags,omitempty" jsonschema:"maxItems=8" jsonschema_description:"Words to find it by."`
	AutoCreated bool     `json:"auto_created,omitempty" jsonschema_description:"A program saved it, not a person or a model."`
	SessionID   string   `json:"session_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"The session that it is of. Without it, this one."`
}

// CheckpointSaveOutput is what checkpoint_save returns.
type CheckpointSaveOutput struct {
	CheckpointID string   `json:"checkpoint_id"`
	Cut          []string `json:"cut,omitempty"` // parts that were too long: their beginnings are kept
	Scrubbed     []string `json:"scrubbed,omitempty"`
}

// CheckpointSave keeps where the work stands.
func (t *Toolset) CheckpointSave(ctx context.Context, call tools.Call, in CheckpointSaveInput) (CheckpointSaveOutput, error) {
	d := memory.Draft{Kind: memory.Checkpoint, Session: in.SessionID, Tags: slices.Clone(in.Tags)}
	var cut []string
	part := func(name, text string, most int) string {
		kept := wording.Clip(ruleLine().ReplaceAllString(strings.TrimSpace(text), "- - -"), most)
		if strings.HasSuffix(kept, "…") && !strings.HasSuffix(strings.TrimSpace(text), "…") {
			cut, d.Tags = append(cut, name), append(d.Tags, cutTag+name)
		}
		return kept
	}
	d.Content = part("summary", in.Summary, mostSummary) + rule + part("context", in.Context, mostState) + rule + part("full_state", in.FullState, mostState)
	d.Gist = wording.OneLine(firstOf(in.Description, in.Summary))
	if in.Name != "" {
		d.Gist = wording.Line(in.Name, mostName) + ": " + d.Gist
	}
	if in.AutoCreated {
		d.Tags = append(d.Tags, autoTag)
	}
	saved, err := t.save(ctx, call, d)
	return CheckpointSaveOutput{CheckpointID: saved.ID, Cut: cut, Scrubbed: saved.Scrubbed}, err
}

// firstOf returns the first text that is not blank.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// Text is the answer for a model.
func (o CheckpointSaveOutput) Text() string {
	text := "Checkpoint saved: " + o.CheckpointID
	if len(o.Cut) > 0 {
		text += ". Too long, so that only the beginning is kept: " + strings.Join(o.Cut, ", ")
	}
	if len(o.Scrubbed) > 0 {
		text += ". Secrets were taken out: " + strings.Join(o.Scrubbed, ", ")
	}
	return text + "\n"
}

// CheckpointListInput is what checkpoint_list takes.
type CheckpointListInput struct {
	Limit     int    `json:"limit,omitempty" means:"count" jsonschema:"minimum=1,maximum=100,default=20" jsonschema_description:"How many checkpoints to return."`
	SessionID string `json:"session_id,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Only those of this session."`
	Project   string `json:"project,omitempty" jsonschema:"maxLength=500" jsonschema_description:"Those of this project: its name, path or key. Without it, this one."`
	Auto      bool   `json:"auto,omitempty" jsonschema_description:"Only those that a program saved."`
}

// CheckpointListOutput is what checkpoint_list returns.
type CheckpointListOutput struct {
	Checkpoints []checkpoint `json:"checkpoints"` // the newest first
	More        bool         `json:"more,omitempty"`
	state
}

type checkpoint struct {
	ID        string   `json:"id"`
	Summary   string   `json:"summary"` // with its name
	CreatedAt string   `json:"created_at"`
	SessionID string   `json:"session_id"`
	Project   string   `json:"project"`
	Tags      []string `json:"tags,omitempty"`
}

// CheckpointList lists checkpoints, the newest first.
func (t *Toolset) CheckpointList(ctx context.Context, _ tools.Call, in CheckpointListInput) (*CheckpointListOutput, error) {
	out := &CheckpointListOutput{Checkpoints: []checkpoint{}, state: state{Complete: true}}
	store, own, err := t.Open(ctx)
	if err != nil {
		out.state = off(err)
		return out, nil
	}
	q := recall.ListQuery{Project: firstOf(in.Project, own.Key), Kinds: []memory.Kind{memory.Checkpoint}, Session: in.SessionID, Limit: in.Limit + 1}
	if in.Auto {
		q.Tag = autoTag
	}
	found, err := store.List(ctx, q)
	if err != nil {
		return nil, err
	}
	out.More = len(found) > in.Limit
	for _, m := range found[:min(len(found), in.Limit)] {
		r := rememberedAs(m, own, mostContent)
		out.Checkpoints = append(out.Checkpoints, checkpoint{ID: r.ID, Summary: r.Gist, CreatedAt: r.At, SessionID: r.Session, Project: r.Project, Tags: r.Tags})
	}
	return out, nil
}

// Text is the list for a model.
func (o *CheckpointListOutput) Text() string {
	if len(o.Checkpoints) == 0 {
		return "No checkpoint found.\n" + o.text()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, the newest first; checkpoint_resume has the whole. %s\n", wording.Count(len(o.Checkpoints), "checkpoint"), stored)
	for _, c := range o.Checkpoints {
		fmt.Fprintf(&b, "%s %s: %s\n", c.ID, c.CreatedAt, c.Summary)
	}
	if o.More {
		b.WriteString("There are more: a larger limit shows them.\n")
	}
	return b.String() + o.text()
}

// CheckpointResumeInput is what checkpoint_resume takes.
type CheckpointResumeInput struct {
	CheckpointID string `json:"checkpoint_id" jsonschema:"minLength=1,maxLength=40" jsonschema_description:"The checkpoint's id, of checkpoint_list."`
	Level        string `json:"level,omitempty" jsonschema:"enum=summary,enum=context,enum=full,default=context" jsonschema_description:"How much: the summary, the summary and the context, or everything."`
}

// CheckpointResumeOutput is what checkpoint_resume returns.
type CheckpointResumeOutput struct {
	CheckpointID string   `json:"checkpoint_id"`
	Level        string   `json:"level"`
	Content      string   `json:"content"`       // the parts of the level, with lines of --- between them
	Cut          []string `json:"cut,omitempty"` // parts that were too long to be kept whole
	Project      string   `json:"project"`
	Foreign      bool     `json:"foreign,omitempty"`
	SessionID    string   `json:"session_id"`
	CreatedAt    string   `json:"created_at"`
	TokensUsed   int      `json:"tokens_used"` // about, at four bytes each
}

// CheckpointResume returns a checkpoint, to go on from.
func (t *Toolset) CheckpointResume(ctx context.Context, _ tools.Call, in CheckpointResumeInput) (*CheckpointResumeOutput, error) {
	store, own, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	m, err := store.Get(ctx, in.CheckpointID)
	if _, unknown := errors.AsType[*recall.UnknownError](err); unknown || err == nil && m.Kind != memory.Checkpoint {
		return nil, &checkpointError{wording.Stored(in.CheckpointID, mostName)}
	}
	if err != nil {
		return nil, err
	}
	r := rememberedAs(m, own, memory.MaxContent)
	out := &CheckpointResumeOutput{
		CheckpointID: r.ID, Level: in.Level, Content: atLevel(r.Content, in.Level), Project: r.Project, Foreign: r.Foreign, SessionID: r.Session, CreatedAt: r.At,
	}
	for _, tag := range r.Tags {
		if name, ok := strings.CutPrefix(tag, cutTag); ok {
			out.Cut = append(out.Cut, name)
		}
	}
	out.TokensUsed = (len(out.Content) + bytesPerToken - 1) / bytesPerToken
	return out, nil
}

// ruleLine matches a line of a part that would look like the end of it.
func ruleLine() *regexp.Regexp { return regexp.MustCompile(`(?m)^---[ \t]*$`) }

// atLevel returns the parts of a checkpoint's content that a level has.
func atLevel(content, level string) string {
	parts := strings.SplitN(content+"\n\n", rule, 3) // the lines behind the mark of an empty last part are not stored
	most := map[string]int{"summary": 1, "context": 2, "full": 3}[level]
	var shown []string
	for _, part := range parts[:min(most, len(parts))] {
		if part = strings.TrimSpace(part); part != "" {
			shown = append(shown, part)
		}
	}
	return strings.Join(shown, rule)
}

// Text is the checkpoint for a model.
func (o *CheckpointResumeOutput) Text() string {
	head := fmt.Sprintf("Checkpoint %s of %s. %s\n", o.CheckpointID, o.CreatedAt, stored)
	if o.Foreign {
		head = "[From project: " + o.Project + "]\n" + head
	}
	if len(o.Cut) > 0 {
		head += "Not whole, because too long when it was saved: " + strings.Join(o.Cut, ", ") + "\n"
	}
	return head + quoted(o.Content)
}

// A checkpointError means that there is no such checkpoint.
type checkpointError struct{ id string }

func (e *checkpointError) Error() string { return "checkpoint not found: " + e.id }

// Hint says what to do.
func (*checkpointError) Hint() string { return "checkpoint_list names the checkpoints of this project" }

// IsNotFound tells this failure from others.
func (*checkpointError) IsNotFound() bool { return true }
