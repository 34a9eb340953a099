package skill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"tidepool/internal/audit"
	"tidepool/internal/scrub"
	"tidepool/internal/skill"
	"tidepool/internal/wording"
	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/people"
)

// maxShown bounds a change, in characters, so that all of it can be shown to the user.
const maxShown = 16_000

// ChangeOutput is what the tools return that change something.
type ChangeOutput struct {
	ID         string `json:"id"`
	Summary    string `json:"summary"`
	Path       string `json:"path"`
	Backup     string `json:"backup,omitempty"` // where the file is kept as it was before
	Note       string `json:"note,omitempty"`
	TokensUsed int    `json:"tokens_used"`
}

// Text is the answer for a model.
func (o *ChangeOutput) Text() string {
	text := o.Summary + "\n"
	if o.Backup != "" {
		text += "as it was before: " + o.Backup + "\n"
	}
	if o.Note != "" {
		text += o.Note + "\n"
	}
	return text
}

// A change is what one call wants to do to a document.
type change struct {
	call    tools.Call
	session string
	verb    string // create, update or delete
	kind    skill.Kind
	scope   skill.Scope
	name    string
	path    string          // for people
	file    string          // absolute
	before  *skill.Document // nil: it is new
	after   string          // "": it is removed
}

// apply carries a change out if the user says yes. Each attempt is written down.
func (t *Toolset) apply(ctx context.Context, c change) (*ChangeOutput, error) {
	began := time.Now()
	out, err := t.attempt(ctx, c)
	entry := audit.Entry{
		Time: began.UTC(), Session: c.session, Agent: c.call.Caller.Agent, Tool: c.call.Tool, Input: c.verb + " " + c.path, MS: time.Since(began).Milliseconds(),
	}
	if err != nil {
		refusal, failed := t.Scrub(c.session, err.Error())
		if failed != nil {
			refusal = "the reason is withheld: " + failed.Error()
		}
		entry.Refused = refusal
	} else {
		sum := sha256.Sum256([]byte(c.after))
		entry.Bytes, entry.SHA256 = int64(len(c.after)), hex.EncodeToString(sum[:])
	}
	if failed := t.audit(entry); failed != nil && err == nil {
		out.Note = wording.Line(out.Note+" "+failed.Error(), 500)
	} else if failed != nil {
		err = errors.Join(err, failed)
	}
	if err != nil {
		return nil, err
	}
	out.TokensUsed = tokensOf(out.Text())
	return out, nil
}

func (t *Toolset) audit(e audit.Entry) error {
	if t.Audit == nil {
		return nil
	}
	log := t.Audit()
	if log == nil {
		return nil
	}
	return log.Append(e)
}

// attempt checks a change, asks and writes.
func (t *Toolset) attempt(ctx context.Context, c change) (*ChangeOutput, error) {
	if c.after != "" {
		if scrub.HasToken(c.after) {
			return nil, &refusedError{"the text contains a token such as [SECRET_1], which stands for a secret that is not kept", "name the variable or the file that holds the secret instead"}
		}
		if err := skill.Parse(c.kind, c.name, c.after).Check(); err != nil {
			return nil, err
		}
	}
	if err := t.permit(c); err != nil {
		return nil, err
	}
	if err := t.confirm(ctx, c); err != nil {
		return nil, err
	}
	out := &ChangeOutput{ID: c.name, Path: c.path, Summary: fmt.Sprintf("The user confirmed: %s %s is %sd (%s).", c.kind, c.name, c.verb, c.path)}
	if c.before != nil {
		kept, err := t.Backup(fmt.Sprintf("%s-%s-%s.md", c.scope, c.kind, wording.Clip(c.name, 64)), c.before.Text)
		if err != nil {
			return nil, fmt.Errorf("keeping what was there before, so nothing is changed: %w", err)
		}
		out.Backup = kept
	}
	switch {
	case c.before == nil:
		return out, t.Documents.Create(c.kind, c.scope, c.name, c.after)
	case c.after != "":
		return out, t.Documents.Replace(*c.before, c.after)
	}
	rest, err := t.Documents.Remove(*c.before)
	if rest > 0 {
		out.Note = fmt.Sprintf("%s of its directory stay", wording.Count(rest, "other file"))
	}
	return out, err
}

// permit asks the project's policy, which may deny what Claude Code's Write would do.
func (t *Toolset) permit(c change) error {
	data, err := json.Marshal(map[string]any{"file_path": c.file, "content": c.after})
	if err != nil {
		return err
	}
	if verdict, decided := t.Policy.Decide("Write", data); decided && verdict.Decision == protocol.Deny {
		return &refusedError{"refused by a rule: " + verdict.Reason, "agent policy list shows all rules and policies, and the files that they stand in"}
	}
	return nil
}

// confirm shows the whole change to the user and asks.
func (t *Toolset) confirm(ctx context.Context, c change) error {
	old, before := "/dev/null", ""
	if c.before != nil {
		old, before = c.path, c.before.Text
	}
	name := c.path
	if c.after == "" {
		name = "/dev/null"
	}
	details, err := t.Scrub(c.session, c.meaning()+"\n\n"+string(diff.Diff(old, []byte(before), name, []byte(c.after))))
	if err != nil {
		return err
	}
	if len(details) > maxShown {
		return &refusedError{fmt.Sprintf("the change has %d characters: it cannot be shown to the user as a whole, at most %d can", len(details), maxShown), "make it shorter, or put parts of it into files beside it that the user writes"}
	}
	answer, err := t.People.ConfirmAction(ctx, c.call, people.ConfirmActionInput{
		Action: fmt.Sprintf("%s the %s %s (%s)", c.title(), c.kind, c.name, c.path), Details: details,
	})
	if err != nil {
		return err
	}
	if !answer.Confirmed {
		return &refusedError{fmt.Sprintf("the user said no (%s): nothing is changed", answer.Channel), "do without it, or ask in the conversation"}
	}
	return nil
}

// meaning says what a change means.
func (c change) meaning() string {
	whose := "this project, and of everybody who gets it by git"
	if c.scope == skill.User {
		whose = "all your projects"
	}
	what := "A skill is text that Claude Code follows in later sessions of " + whose + "."
	if c.kind == skill.Agent {
		what = "An agent is text that subagents of Claude Code follow in later sessions of " + whose + ", with the tools that it names, or all."
	}
	if c.after == "" {
		what += " This removes it."
	}
	return what
}

// title is the verb at the beginning of a sentence.
func (c change) title() string {
	return map[string]string{"create": "Create", "update": "Update", "delete": "Delete"}[c.verb]
}
