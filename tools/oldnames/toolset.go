// Package oldnames has tools under the names and with the arguments that older clients use: the hook scripts of CLAMS, and programs that
// talk to contextd. They are for calls over HTTP, in a registry of their own; a model is not shown them.
//
// They are no second system: memories are those of recall, entries those of the journal. What an argument cannot mean here is accepted and
// not used, which its description says. Texts are returned as they are stored, because programs read them.
//
// For tools whose names have not changed, [Arguments] has what older clients call their arguments.
package oldnames

import (
	"context"
	"embed"
	"io/fs"
	"time"

	"tidepool/internal/journal"
	"tidepool/internal/recall"
	"tidepool/internal/recall/memory"
	"tidepool/tools"
)

//go:embed desc/*.md
var descriptions embed.FS

// Memories are what a project remembers, as [recall.Store] does.
type Memories interface {
	Keeper
	Finder
}

// A Keeper changes memories.
type Keeper interface {
	Save(ctx context.Context, d memory.Draft) (recall.Saved, error)
	Forget(ctx context.Context, ids ...string) ([]memory.Memory, error)
	Feedback(ctx context.Context, id string, helpful bool, comment string) (confidence float64, err error)
}

// A Finder finds memories.
type Finder interface {
	Recall(ctx context.Context, q recall.Query) (recall.Found, error)
	List(ctx context.Context, q recall.ListQuery) ([]memory.Memory, error)
}

// A Journal has entries, as [journal.Journal] does.
type Journal interface {
	Orphans(ctx context.Context, o journal.Owner, limit int) ([]journal.Entry, error)
	Entry(ctx context.Context, id string) (*journal.Entry, error)
	Judge(ctx context.Context, text string) (journal.Judgement, error)
	Calls(o journal.Owner, more int) int
	Look(o journal.Owner)
}

// A Toolset has the tools.
type Toolset struct {
	// Open returns what a project remembers, and the project. The error says why recall is off.
	Open func(ctx context.Context) (Memories, Journal, memory.Project, error)
	Now  func() time.Time // nil: time.Now

	Root     string   // of the project
	Sessions Sessions // of programs
	// Tell returns what a session reads at its start: what is remembered of the project and of a task.
	Tell func(ctx context.Context, session, task string) string
}

// Descriptions returns what a client reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

func (t *Toolset) now() time.Time {
	if t.Now != nil {
		return t.Now()
	}
	return time.Now()
}

// An opened is a project for one call.
type opened struct {
	Memories
	Journal
	project memory.Project
	owner   journal.Owner // the caller
}

func (t *Toolset) open(ctx context.Context, call tools.Call) (opened, error) {
	memories, j, project, err := t.Open(ctx)
	return opened{memories, j, project, journal.Owner{Session: call.Caller.Session, Agent: call.Caller.Agent}}, err
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }
