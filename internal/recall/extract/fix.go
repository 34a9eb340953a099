package extract

import (
	"fmt"
	"slices"
	"strings"

	"tidepool/internal/fulltext"
	"tidepool/internal/recall/memory"
	"tidepool/internal/wording"
)

var compilerError = pattern(`\berror TS\d|\berror\[E\d|SyntaxError|IndentationError|\.go:\d+:\d+: |: error: |undefined reference|cannot find symbol|NameError`)

// A failure is a run that failed and has not succeeded since.
type failure struct {
	run
	last    string   // the error of its last failure
	edited  []string // files that were edited since it failed first
	compile bool     // it was no test that failed, but the compiler
	ours    bool     // the conversation had edited files before it failed
}

// A fix is a failure that was repaired, until a commit says more of it.
type fix struct{ draft memory.Draft }

// maxFailures is how many failures of a conversation are followed, the latest ones.
const maxFailures = 16

// fail notes a run that failed.
func (c *Conversation) fail(r run) {
	for _, f := range c.failures {
		if f.key == r.key {
			f.last = r.first
			return
		}
	}
	f := &failure{run: r, last: r.first, compile: isCompile(r.first), ours: len(c.sinceCommit) > 0}
	c.failures = append(c.failures, f)
	if len(c.failures) > maxFailures {
		c.failures = c.failures[1:]
	}
}

// repair returns the fixes that a run shows, and forgets the failures that it ends.
func (c *Conversation) repair(r run) []memory.Draft {
	var drafts []memory.Draft
	c.failures = slices.DeleteFunc(c.failures, func(f *failure) bool {
		if !r.covers(f.key) {
			return false
		}
		if len(f.edited) > 0 && (!f.compile || !f.ours) {
			drafts = append(drafts, f.fixed())
		}
		return true
	})
	for _, d := range drafts {
		c.fixes = append(c.fixes, fix{d})
	}
	c.fixes = c.fixes[max(0, len(c.fixes)-maxFixes):]
	return drafts
}

// fixed returns the memory of a failure that was repaired.
func (f *failure) fixed() memory.Draft {
	files := latest(f.edited, maxFiles)
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` failed: %s\n", f.text, f.first)
	if f.last != f.first {
		fmt.Fprintf(&b, "Then: %s\n", f.last)
	}
	fmt.Fprintf(&b, "It passed after changes to %s.", strings.Join(files, ", "))
	return memory.Draft{
		Kind: memory.Fix, Trust: memory.Observed, Outcome: memory.Success, Source: sourceBash, Files: files, Content: b.String(),
		Gist: wording.Line(f.first, 140) + " (`" + wording.Line(f.text, 40) + "`): passed after changes to " + strings.Join(files[:min(len(files), 2)], ", "),
	}
}

// maxFixes is how many fixes wait for a commit to say more of them.
const maxFixes = 8

// committed returns the fixes since the last commit with the subject of the one that has them.
func (c *Conversation) committed(commit Commit) []memory.Draft {
	var drafts []memory.Draft
	for _, f := range c.fixes {
		f.draft.Content += subjectOf(commit, f.draft)
		f.draft.Commit = commit.Hash
		drafts = append(drafts, f.draft)
	}
	c.fixes = nil
	return drafts
}

// subjectOf returns the line with a commit's subject that a fix is given. It ends before it would add more than a quarter of the fix's
// own words: a memory that differs more from the one that is kept already would be another memory.
func subjectOf(commit Commit, d memory.Draft) string {
	own := map[string]bool{}
	for _, word := range fulltext.Words(d.Gist + "\n" + d.Content) {
		own[word] = true
	}
	room := len(own) / 4
	line := "\nCommit:"
	for field := range strings.FieldsSeq("Commit " + wording.Line(commit.Subject, 100)) {
		for _, word := range fulltext.Words(field) {
			if !own[word] {
				own[word] = true
				room--
			}
		}
		if room < 0 {
			line += " …"
			break
		}
		if field != "Commit" {
			line += " " + field
		}
	}
	if line == "\nCommit:" || line == "\nCommit: …" {
		return ""
	}
	return line
}

// isCompile reports whether an error is the compiler's: after an own edit it is a slip, which nobody needs to remember.
func isCompile(line string) bool {
	return compilerError().MatchString(line)
}
