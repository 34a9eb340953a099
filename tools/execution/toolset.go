// Package execution has the tools that a model may use unasked because they can do no harm: safe_bash runs a command that the kernel
// confines, safe_read and safe_write reach files of the project, ref_content reads more of an output.
//
// A tool's output holds no secret that is known: whole texts are searched before anything of them is cut, kept or shown. The rules of
// the project's policy count for these tools as for Bash, Read and Write. Each use is written to the audit log, refused ones too.
//
// A command that fails is a result. An error means that nothing was done.
package execution

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"io/fs"
	"sync"
	"time"

	"tidepool/internal/audit"
	"tidepool/internal/policy"
	"tidepool/internal/ref"
	"tidepool/internal/sandbox"
	"tidepool/internal/scrub"
	"tidepool/tools"
	"tidepool/tools/broker"
	"tidepool/tools/people"
)

//go:embed desc/*.md
var descriptions embed.FS

// A Runner runs commands, confined, as [sandbox.Sandbox] does.
type Runner interface {
	Run(ctx context.Context, s sandbox.Spec) (sandbox.Outcome, error)
}

// Secrets replace the secrets of a session's texts, as [scrub.Registry] does. Beginning is for a text whose rest is lost.
type Secrets interface {
	Text(text string) (string, []scrub.Finding)
	Beginning(text string) (string, []scrub.Finding)
}

// Refs keep whole outputs, as [ref.Store] does.
type Refs interface {
	Put(session string, text []byte) (id string, err error)
	Slice(session, id string, r ref.Request) (ref.Slice, error)
}

// An Auditor writes down what was done, as [audit.Log] does.
type Auditor interface {
	Append(e audit.Entry) error
}

// A Policy decides about a tool call, as [policy.Engine] does.
type Policy interface {
	Decide(tool string, input json.RawMessage) (policy.Verdict, bool)
}

// An Asker asks the user whether something may be done, as [people.Toolset] does. That nobody answers is an error.
type Asker interface {
	ConfirmAction(ctx context.Context, call tools.Call, in people.ConfirmActionInput) (people.ConfirmActionOutput, error)
}

// A Broker makes sockets by which commands call tools that only read, as [broker.Broker] does.
type Broker interface {
	Open(c broker.Command) (*broker.Socket, error)
}

// Parts are what the tools work with.
type Parts struct {
	Commands Runner
	Secrets  func(session string) Secrets
	Refs     Refs
	Broker   Broker   // nil: commands call no tools
	Audit    Auditor  // nil: nothing is written down
	Env      []string // of commands
	Protect  []string // paths of the project that are not written, beside those that never are
	Limits   Limits
}

// Limits bound a command.
type Limits struct {
	Accept      sandbox.Level // the weakest isolation
	Network     string        // "ask", "deny" or "allow"
	Timeout     time.Duration // of a command that names none
	MemoryMB    int
	Processes   int
	OutputBytes int64 // that are kept of each stream
}

// A Toolset has the tools of one project. Its methods are safe for concurrent use.
type Toolset struct {
	Root string // the project's directory, absolute and without links
	// Open returns the parts, at every call. The error says why there are none.
	Open   func(ctx context.Context) (*Parts, error)
	Policy Policy
	People Asker

	writing sync.Mutex // held while a file is replaced, so that none of two that append is lost
	keyed   sync.Once
	key     [32]byte // of the hashes of files
}

// Descriptions returns what a model reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

// hashKey returns the key of the hashes of files. It lives as long as the process: a hash that anybody can compute would tell of a short
// secret which one it is.
func (t *Toolset) hashKey() []byte {
	t.keyed.Do(func() { _, _ = rand.Read(t.key[:]) }) // never fails
	return t.key[:]
}
