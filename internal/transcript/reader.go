package transcript

import (
	"errors"
	"strings"
)

// A Reader assembles the turns of one transcript from its lines, in order, from the first line on. It keeps the open turn
// and those that were not taken yet; of older ones their place in the tree of records. It has no goroutine and is not safe
// for concurrent use.
type Reader struct {
	source Source
	info   Info
	rank   TitleRank // of the title in info; NoTitle: it is the first prompt's
	tree   tree
	nodes  []int32  // the place of each turn's prompt in the tree
	open   *draft   // the last turn; nil before the first prompt
	grown  bool     // open has changed since the last Take
	closed []Turn   // not taken yet
	told   []bool   // Abandoned of each turn that was taken, as it was last reported
	asked  *pending // a slash command that the model has not answered yet
}

// A pending prompt has its place in the tree and in the file. A slash command waits for the model's answer: until then it
// may be one that the program carries out itself.
type pending struct {
	event      Event
	node       int32
	start, end int64
}

// NewReader returns a Reader of a file that holds the given session: [File.Session] of its path.
func NewReader(s Source, session string) *Reader {
	return &Reader{
		source: s, tree: newTree(),
		info: Info{Session: session, Sidechain: strings.HasPrefix(session, "agent-")},
	}
}

// Line reads one line without its newline, at its offset in the file. What cannot be read is counted.
func (r *Reader) Line(at int64, line []byte) {
	e, err := r.source.decode(line)
	switch {
	case errors.Is(err, errNothing):
		r.info.Skipped++
		return
	case err != nil:
		r.info.Unreadable++
		return
	case e.Sidechain && !r.info.Sidechain:
		r.info.Skipped++ // former versions wrote what a subagent did among the lines of its session
		return
	}
	e.bound()
	r.note(e)
	r.add(e, at, at+int64(len(line)))
}

// PassedOver counts a line that was too long to be read.
func (r *Reader) PassedOver(at, length int64) { r.info.Unreadable++ }

// note keeps what a line says about the file.
func (r *Reader) note(e Event) {
	i := &r.info
	first(&i.Cwd, e.Cwd)
	first(&i.Branch, e.Branch)
	first(&i.Slug, e.Slug)
	first(&i.Agent, e.Agent)
	if e.Session != i.Session {
		first(&i.Parent, e.Session)
	}
	first(&i.Parent, e.ForkedFrom)
	if e.Title != "" && e.TitleRank >= r.rank {
		i.Title, r.rank = clip(e.Title, maxTitle), e.TitleRank
	}
	if e.At.IsZero() {
		return
	}
	if i.First.IsZero() || e.At.Before(i.First) {
		i.First = e.At
	}
	if e.At.After(i.Last) {
		i.Last = e.At
	}
}

// maxTitle is the most of a title that is kept, in bytes.
const maxTitle = 200

func first(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// add puts a line into its turn, or opens the next one.
func (r *Reader) add(e Event, start, end int64) {
	if r.repeats(e) {
		return
	}
	r.tree.undo(e.Undone)
	if r.asked != nil && (e.Prompt != "" || len(e.Texts)+len(e.Calls) > 0) {
		r.begin(*r.asked)
	}
	if e.Local {
		r.asked = nil
	}
	node := r.tree.add(e, e.Prompt != "")
	switch {
	case e.Prompt != "" && e.Command:
		r.asked = &pending{e, node, start, end}
	case e.Prompt != "":
		r.begin(pending{e, node, start, end})
	}
	if r.open != nil && r.open.add(e, end) {
		r.grown = true
	}
}

// repeats reports whether a file already has what a line says: the same record, unless it is a growing state of a message
// of the open turn, or, of a source without UUIDs, the same prompt before anything has followed it.
func (r *Reader) repeats(e Event) bool {
	if e.UUID != "" {
		return r.tree.has(e.UUID) && (r.open == nil || !r.open.messages[e.Message])
	}
	return e.Prompt != "" && r.open != nil && r.open.isBare() && r.open.turn.User == e.Prompt
}

// begin closes the open turn and opens the next one.
func (r *Reader) begin(p pending) {
	r.close()
	r.open, r.grown, r.asked = newDraft(len(r.nodes), p), true, nil
	r.nodes = append(r.nodes, p.node)
	if r.info.Title == "" {
		line, _, _ := strings.Cut(p.event.Prompt, "\n")
		r.info.Title = strings.Clone(clip(line, maxTitle))
	}
}

func (r *Reader) close() {
	if r.open != nil && r.grown {
		r.closed = append(r.closed, r.open.copy())
	}
}

// Take returns the turns that are new or whose text has changed since the last Take, in order. The last of the file may
// still be open: it is returned again when it grows. Every other one is returned once; [Reader.Marks] says what changes
// of it later.
func (r *Reader) Take() []Turn {
	r.close()
	turns, off := r.closed, r.tree.abandoned()
	r.closed, r.grown = nil, false
	for i := range turns {
		n := turns[i].Number
		turns[i].Abandoned = off[r.nodes[n]]
		r.told = append(r.told[:min(n, len(r.told))], turns[i].Abandoned)
	}
	return turns
}

// Marks returns the turns that an earlier Take returned and whose Abandoned has changed since it was last reported, in order.
func (r *Reader) Marks() []Mark {
	var marks []Mark
	off := r.tree.abandoned()
	for n, told := range r.told {
		if now := off[r.nodes[n]]; now != told {
			r.told[n] = now
			marks = append(marks, Mark{Number: n, Abandoned: now})
		}
	}
	return marks
}

// Info returns what the lines so far say about the file.
func (r *Reader) Info() Info { return r.info }

// Turns returns how many turns the file has so far.
func (r *Reader) Turns() int { return len(r.nodes) }
