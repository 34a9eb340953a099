package recall

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"time"

	"tidepool/internal/recall/memory"
	"tidepool/internal/recall/store"
	"tidepool/internal/scrub"
	"tidepool/internal/wording"
)

// Limits of a draft. What is more is cut off.
const (
	maxText    = 64 << 10 // bytes of a text that are searched for secrets, before it is cut to its limit
	maxTags    = 16
	maxTag     = 64 // characters
	maxFiles   = 32
	maxFile    = 512 // characters
	maxSession = 256 // bytes
	maxSource  = 120 // characters
	maxOrigin  = 128 // bytes
	maxCommit  = 64  // characters
	maxNote    = 500 // characters of a comment
)

// A refiner makes records of drafts: it checks them, takes secrets out and cuts them to their limits.
type refiner struct {
	scrub   *scrub.Scrubber
	private *regexp.Regexp
}

func newRefiner(s *scrub.Scrubber) refiner {
	// An open block has no end that its author meant, so all of the rest is private.
	return refiner{s, regexp.MustCompile(`(?is)<private>.*?(?:</private>|\z)`)}
}

// A refined is a record that may be stored, with what was done to it.
type refined struct {
	store.Record
	scrubbed []string // the kinds of secrets that were taken out, sorted
	cut      bool     // the content was longer
}

// refine returns the record of a draft. Its project is the caller's.
func (f *refiner) refine(d memory.Draft, now time.Time) (refined, error) {
	if err := check(&d); err != nil {
		return refined{}, err
	}
	w := washing{refiner: f}
	content, gist := w.text(d.Content), w.text(d.Gist)
	r := refined{Record: store.Record{Memory: memory.Memory{
		Scope: d.Scope, Kind: d.Kind, Trust: d.Trust, Outcome: d.Outcome, Session: wording.ClipBytes(valid(d.Session), maxSession), Turn: d.Turn,
		Source: wording.Line(d.Source, maxSource), Commit: wording.Line(d.Commit, maxCommit), Alpha: 1, Beta: 1,
		Tags: w.labels(d.Tags, maxTags, maxTag), Files: w.labels(d.Files, maxFiles, maxFile),
	}, Quiet: d.Twice}}
	if w.withheld {
		return refined{}, &WithheldError{}
	}
	r.Content = wording.Clip(content, memory.MaxContent)
	r.cut = r.Content != content
	r.Gist = wording.Line(cmp.Or(gist, firstLine(content)), memory.MaxGist)
	if r.Content == "" {
		r.Content = r.Gist
	}
	if r.Gist == "" {
		return refined{}, &DraftError{"content", "it is empty, or all of it is private"}
	}
	r.Created = d.At
	if r.Created.IsZero() || r.Created.After(now) {
		r.Created = now
	}
	r.Updated = now
	slices.Sort(w.found)
	r.scrubbed = slices.Compact(w.found)
	r.Likeness = likenessOf(&r.Memory)
	return r, nil
}

// check fills in what the zeroes of a draft stand for, and refuses values that there are not.
func check(d *memory.Draft) error {
	d.Scope, d.Kind, d.Trust = cmp.Or(d.Scope, memory.ForProject), cmp.Or(d.Kind, memory.Note), cmp.Or(d.Trust, memory.Observed)
	if d.Scope == memory.ForTeam {
		return &DraftError{"scope", "team memories are in the team's database"}
	}
	for _, f := range []struct {
		name string
		ok   bool
	}{
		{"scope", d.Scope == memory.ForProject || d.Scope == memory.ForUser},
		{"kind", slices.Contains(Kinds(), d.Kind)},
		{"trust", slices.Contains([]memory.Trust{memory.Said, memory.Saved, memory.Observed, memory.Drafted}, d.Trust)},
		{"outcome", slices.Contains([]memory.Outcome{memory.Unknown, memory.Success, memory.Failure, memory.Abandoned}, d.Outcome)},
	} {
		if !f.ok {
			return &DraftError{f.name, "there is no such " + f.name}
		}
	}
	return nil
}

// Kinds returns all kinds of memories.
func Kinds() []memory.Kind {
	return []memory.Kind{
		memory.Note, memory.Preference, memory.Decision, memory.Fix, memory.Command, memory.Experience, memory.Value, memory.Session,
		memory.Checkpoint, memory.Remediation,
	}
}

// A washing takes secrets and private blocks out of the texts of one draft.
type washing struct {
	*refiner
	found    []string
	withheld bool
}

func (w *washing) text(text string) string {
	text = w.private.ReplaceAllString(valid(wording.ClipBytes(text, maxText)), " ")
	clean, findings := w.scrub.Text(text)
	for _, f := range findings {
		if f.Rule == scrub.Withheld {
			w.withheld = true
		}
		w.found = append(w.found, f.Rule)
	}
	return strings.TrimSpace(clean)
}

// labels returns the different labels among so many, each on one line of so many characters, sorted.
func (w *washing) labels(all []string, most, chars int) []string {
	var kept []string
	for _, one := range all[:min(len(all), most)] {
		if one = wording.Line(w.text(one), chars); one != "" {
			kept = append(kept, one)
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// valid returns a text in UTF-8 without zero bytes, which SQLite's functions take for the end.
func valid(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// newID returns an id: "mem_" and 12 hexadecimal digits.
func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // which never fails
	return "mem_" + hex.EncodeToString(b[:])
}
