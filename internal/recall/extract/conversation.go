package extract

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tidepool/internal/outcome"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

// A Key names a conversation: a session, or one of its subagents, which has its own commands and edits.
type Key struct{ Session, Agent string }

// Limits of what is kept of one conversation, besides those beside each rule. A conversation keeps at most about 100 KB.
const (
	maxSince  = 50      // files edited since the last commit
	maxOutput = 1 << 20 // bytes of an output that are looked at, of its end
	maxPath   = 300     // bytes of a file's name
	maxHashes = 16      // commits that are known, so that none counts twice
)

// A Conversation is what is known of one while it goes on. Its methods return what was learned by the event, for whoever keeps it.
// They are safe for concurrent use, wait for nothing, and start no goroutine. The zero value is not usable: see Conversations.
type Conversation struct {
	key  Key
	root string // of the project; files below it are named by their path from there

	mu          sync.Mutex
	at          time.Time // of the latest event
	turn, uses  int       // prompts and uses of tools so far
	goal        string
	edited      []string // each once, the latest last
	sinceCommit []string // the same, since the last commit
	sincePrompt []string // and since the last prompt
	commits     []string // subjects
	hashes      []string
	last        outcome.Result
	failures    []*failure
	fixes       []fix
	trials      []*trial
	told        string // the last summary
}

// Prompt takes what the user said and returns preferences and corrections. A subagent's prompt is a model's, so it has none.
func (c *Conversation) Prompt(text string, at time.Time) []memory.Draft {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
	c.turn++
	if c.key.Agent != "" {
		return nil
	}
	typed := Typed(text)
	drafts := preferences(typed)
	if len(drafts) == 0 {
		drafts = correction(typed, c.sincePrompt)
	}
	c.sincePrompt = nil
	if line := wording.Line(typed, maxGoal); c.goal == "" && len(strings.Fields(line)) >= 3 && !strings.HasPrefix(line, "/") {
		c.goal = strings.Clone(line)
	}
	return c.signed(drafts)
}

// Turn returns the number of the latest prompt, from 1; 0: none has come.
func (c *Conversation) Turn() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turn
}

// Tool takes the use of a tool that has ended and returns fixes, commands that work, and what a commit says.
func (c *Conversation) Tool(use ToolUse) []memory.Draft {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = use.At
	c.uses++
	if use.File != "" && !use.Failed {
		c.edit(c.named(use.File))
	}
	if use.Command == "" {
		return nil
	}
	use.Output = withoutPrivate(use.Output) // before it is cut, which may take the tag and leave what is private
	use.Output = use.Output[max(0, len(use.Output)-maxOutput):]
	use.Command = withoutPrivate(use.Command)
	var drafts []memory.Draft
	if r, ok := runOf(use); ok {
		if r.result.Known {
			c.last = r.result
		}
		if r.failed {
			c.fail(r)
		} else {
			drafts = c.repair(r)
		}
		drafts = append(drafts, c.try(r)...)
	}
	if commit, ok := commitOf(use); ok && !use.Failed {
		drafts = append(drafts, c.commit(commit)...)
	}
	return c.signed(drafts)
}

// Commit takes a commit that was made and returns what its message decides, the fixes that it has, and the session's summary. A
// commit that is known already, from the output of git, only adds what its body says.
func (c *Conversation) Commit(commit Commit) []memory.Draft {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.signed(c.commit(commit))
}

func (c *Conversation) commit(commit Commit) []memory.Draft {
	drafts := FromCommit(commit)
	if c.isKnown(commit.Hash) {
		return drafts
	}
	c.hashes = append(c.hashes[max(0, len(c.hashes)-maxHashes+1):], commit.Hash)
	c.commits = append(c.commits[max(0, len(c.commits)-maxCommits+1):], strings.Clone(wording.Line(strings.ReplaceAll(commit.Subject, ";", ","), 100)))
	drafts = append(drafts, c.committed(commit)...)
	c.sinceCommit = nil
	return append(drafts, c.summary()...)
}

// isKnown reports whether a commit was taken already; a short hash is the same as the whole one.
func (c *Conversation) isKnown(hash string) bool {
	return hash != "" && slices.ContainsFunc(c.hashes, func(known string) bool {
		return known != "" && (strings.HasPrefix(known, hash) || strings.HasPrefix(hash, known))
	})
}

// edit notes a file that was written.
func (c *Conversation) edit(file string) {
	c.edited = moved(c.edited, file, maxEdited)
	c.sinceCommit = moved(c.sinceCommit, file, maxSince)
	c.sincePrompt = moved(c.sincePrompt, file, maxFiles)
	for _, f := range c.failures {
		f.edited = moved(f.edited, file, maxFiles)
	}
}

// moved returns a list with a file at its end, once, and at most so many.
func moved(list []string, file string, most int) []string {
	list = slices.DeleteFunc(list, func(f string) bool { return f == file })
	return append(list[max(0, len(list)-most+1):], file)
}

// named returns a file as a memory names it.
func (c *Conversation) named(file string) string {
	if inside, err := filepath.Rel(c.root, file); err == nil && c.root != "" && filepath.IsLocal(inside) {
		file = filepath.ToSlash(inside)
	}
	return strings.Clone(wording.ClipBytes(wording.OneLine(file), maxPath)) // not a part of a larger text
}

// signed returns drafts with the conversation's session, turn and time.
func (c *Conversation) signed(drafts []memory.Draft) []memory.Draft {
	for i := range drafts {
		drafts[i].Session, drafts[i].Turn = c.key.Session, c.turn
		if drafts[i].At.IsZero() {
			drafts[i].At = c.at
		}
	}
	return drafts
}
