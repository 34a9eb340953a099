package execution

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"tidepool/internal/audit"
	"tidepool/internal/scrub"
	"tidepool/tools"
)

// A use is one call of a tool that is written down.
type use struct {
	*Parts
	call    tools.Call
	session string
	secrets Secrets
	began   time.Time
	entry   audit.Entry
}

// begin returns a use. The session is the caller's; a client without hooks names its own.
func (t *Toolset) begin(ctx context.Context, call tools.Call, sessionID, input string) (*use, error) {
	parts, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	session := cmp.Or(call.Caller.Session, sessionID)
	u := &use{Parts: parts, call: call, session: session, secrets: parts.Secrets(session), began: time.Now()}
	u.entry = audit.Entry{Time: u.began.UTC(), Session: session, Agent: call.Caller.Agent, Tool: call.Tool, Secrets: map[string]int{}}
	u.entry.Input = u.scrub(input)
	return u, nil
}

// scrub returns a text without secrets, and counts them.
func (u *use) scrub(text string) string {
	clean, found := u.secrets.Text(text)
	u.count(found)
	return clean
}

// scrubBeginning is scrub for a text whose rest is lost.
func (u *use) scrubBeginning(text string) string {
	clean, found := u.secrets.Beginning(text)
	u.count(found)
	return clean
}

func (u *use) count(found []scrub.Finding) {
	for _, f := range found {
		u.entry.Secrets[f.Rule]++
	}
}

// shown returns what was found in what a model reads: all but what the input had.
func (u *use) shown(before map[string]int) map[string]int {
	shown := map[string]int{}
	for rule, n := range u.entry.Secrets {
		if n > before[rule] {
			shown[rule] = n - before[rule]
		}
	}
	return shown
}

// hash notes the hash of scrubbed texts.
func (u *use) hash(texts ...string) {
	sum := sha256.New()
	for _, text := range texts {
		sum.Write([]byte(text))
	}
	u.entry.SHA256 = hex.EncodeToString(sum.Sum(nil))
}

// refused writes down that nothing was done, and returns why.
func (u *use) refused(err error) error {
	u.entry.Refused = u.scrub(err.Error())
	if failed := u.end(); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

// end writes the use down.
func (u *use) end() error {
	if u.Audit == nil {
		return nil
	}
	u.entry.MS = time.Since(u.began).Milliseconds()
	return u.Audit.Append(u.entry)
}

// A refusedError means that a tool does not do what it was asked for.
type refusedError struct{ what, hint string }

func (e *refusedError) Error() string { return e.what }

// Hint says what to do.
func (e *refusedError) Hint() string { return e.hint }

// A missingError means that nothing has a path.
type missingError struct{ refusedError }

// IsNotFound tells this failure from others.
func (*missingError) IsNotFound() bool { return true }

// tokenError says why a text with a token is refused.
func tokenError(where string) error {
	return &refusedError{where + " contains a token such as [SECRET_1], which stands for a secret that is not kept",
		"name the variable or the file that holds the secret instead; to change a file that holds one, edit around its place"}
}
