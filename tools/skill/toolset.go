// Package skill has the tools that list, read and change the skills and agents of Claude Code, of the project and of its user.
//
// A skill or an agent is text that a model follows later, so each change is put to the user as a whole, and nothing is changed without a
// yes. What was there before is kept as a backup. The files of a project that is not trusted are shown as what they are: text of a clone.
//
// The arguments have the names of contextd. What Claude Code's format has under another name is written there: trigger is when_to_use, a
// prompt_template and steps are the text of SKILL.md, a system_prompt is the text of an agent, model_preference is model. What the format
// lacks is refused with the reason.
package skill

import (
	"context"
	"embed"
	"encoding/json"
	"io/fs"

	"tidepool/internal/audit"
	"tidepool/internal/policy"
	"tidepool/internal/skill"
	"tidepool/tools"
	"tidepool/tools/people"
)

//go:embed desc/*.md
var descriptions embed.FS

// A Finder finds documents, as [skill.Store] does.
type Finder interface {
	List(kind skill.Kind, scopes ...skill.Scope) (skill.Listing, error)
	Path(kind skill.Kind, scope skill.Scope, name string) (shown, file string, err error)
}

// A Writer changes documents, as [skill.Store] does.
type Writer interface {
	Create(kind skill.Kind, scope skill.Scope, name, text string) error
	Replace(d skill.Document, text string) error
	Remove(d skill.Document) (rest int, err error)
}

// Documents are the skills and agents.
type Documents interface {
	Finder
	Writer
}

// An Asker asks the user whether something may be done, as [people.Toolset] does. That nobody answers is an error.
type Asker interface {
	ConfirmAction(ctx context.Context, call tools.Call, in people.ConfirmActionInput) (people.ConfirmActionOutput, error)
}

// A Policy decides about a tool call, as [policy.Engine] does.
type Policy interface {
	Decide(tool string, input json.RawMessage) (policy.Verdict, bool)
}

// An Auditor writes down what was done, as [audit.Log] does.
type Auditor interface {
	Append(e audit.Entry) error
}

// A Toolset has the tools.
type Toolset struct {
	Documents Documents
	People    Asker
	Policy    Policy
	Trusted   func() bool                                      // whether the project is trusted
	Scrub     func(session, text string) (string, error)       // takes the secrets out of what a model reads
	Backup    func(name, text string) (path string, err error) // keeps what is replaced or removed
	Audit     func() Auditor                                   // nil, or returns nil: nothing is written down
}

// Descriptions returns what a model reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

// A refusedError means that nothing is done.
type refusedError struct{ what, hint string }

func (e *refusedError) Error() string { return e.what }

// Hint says what to do.
func (e *refusedError) Hint() string { return e.hint }

// A missingError means that there is no document of a name.
type missingError struct{ refusedError }

// IsNotFound tells this failure from others.
func (*missingError) IsNotFound() bool { return true }
