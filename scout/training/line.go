package training

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidepool/scout"
)

// A Line is one example, ready for a trainer.
type Line struct {
	ID     string `json:"id"`     // of the module and the question
	Split  Split  `json:"split"`  // the same for all of a module
	Module string `json:"module"` // path, or name
	Label  string `json:"label"`  // who has judged: compiler, or a scorer's name
	Text   string `json:"text"`   // the question, and the answer that is right
}

// A Split is a side of the split.
type Split string

// The sides: one in five modules is held out, to measure with.
const (
	Train   Split = "train"
	HeldOut Split = "heldout"
)

// SplitOf returns the side that a module is on: the same everywhere and always.
func SplitOf(module string) Split {
	if sum := sha256.Sum256([]byte(module)); sum[0]%5 == 0 {
		return HeldOut
	}
	return Train
}

// Options say how records become lines. All but Places are required.
type Options struct {
	Question func(scout.TrainingExample) (string, error) // as the model is asked
	Answer   func(scout.TrainingExample) string          // as it should answer
	Module   func(path string) string                    // that a file belongs to
	Places   []Place
	Secret   func(text string) bool
}

// A Place is a directory of this machine, absolute, and what is written instead.
type Place struct{ Dir, Instead string }

// Dropped counts the records that became no lines.
type Dropped struct {
	Repeated int // the question was already there
	Secret   int // something in them looks like a secret
	Outside  int // their place is not in the project
}

// Prepare makes lines of records, sorted by module and id. Of those with one
// question the last that a compiler judged is kept, else the last.
func Prepare(records []Record, o Options) ([]Line, Dropped, error) {
	kept := make(map[string]Line)
	var dropped Dropped
	for _, r := range records {
		if path.IsAbs(fileOf(r.TrainingExample)) {
			dropped.Outside++
			continue
		}
		line, err := o.line(r)
		if err != nil {
			return nil, dropped, err
		}
		known, repeated := kept[line.ID]
		switch {
		case o.Secret(line.Text):
			dropped.Secret++
			continue
		case repeated:
			dropped.Repeated++
		}
		if !repeated || known.Label != Compiler || line.Label == Compiler {
			kept[line.ID] = line
		}
	}
	lines := make([]Line, 0, len(kept))
	for _, line := range kept {
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.ID, b.ID)) })
	return lines, dropped, nil
}

func (o Options) line(r Record) (Line, error) {
	e := r.TrainingExample
	e.Rubric = r.Judged()
	if r.Certain {
		e.Node.Link = "" // the compiler's message, which is the answer
	}
	for _, text := range []*string{&e.Query.Text, &e.Query.Detail, &e.Node.Location, &e.Node.Link, &e.Node.Hover, &e.Node.Snippet} {
		*text = o.local(*text)
	}
	question, err := o.Question(e)
	if err != nil {
		return Line{}, fmt.Errorf("writing an example of %s: %w", e.Node.Location, err)
	}
	module := o.Module(fileOf(e))
	sum := sha256.Sum256([]byte(module + "\x00" + question))
	return Line{
		ID: hex.EncodeToString(sum[:8]), Split: SplitOf(module), Module: module, Label: r.Label(), Text: question + o.Answer(e),
	}, nil
}

// local takes the directories of this machine out of a text.
func (o Options) local(text string) string {
	for _, p := range o.Places {
		text = strings.ReplaceAll(text, "file://"+p.Dir, p.Instead)
		text = strings.ReplaceAll(text, p.Dir, p.Instead)
	}
	return text
}

// fileOf returns the path in an example's location.
func fileOf(e scout.TrainingExample) string {
	if colon := strings.LastIndexByte(e.Node.Location, ':'); colon >= 0 {
		return e.Node.Location[:colon]
	}
	return e.Node.Location
}
