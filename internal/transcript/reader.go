package transcript

// A Reader assembles the turns of one transcript from its lines, in order, from the first line on. It keeps the open turn
// and those that were not taken yet; of older ones their place in the tree of records. It has no goroutine and is not safe
// for concurrent use.
type Reader struct {
	source Source
	info   Info
	turns  int
}

// NewReader returns a Reader of a file that holds the given session: the file's stem.
func NewReader(s Source, session string) *Reader {
	return &Reader{source: s, info: Info{Session: session}}
}

// Line reads one line without its newline, at its offset in the file. What cannot be read is counted.
func (r *Reader) Line(at int64, line []byte) {}

// PassedOver counts a line that was too long to be read.
func (r *Reader) PassedOver(at, length int64) { r.info.Unreadable++ }

// Take returns the turns that are new or whose text has changed since the last Take, in order. The last of the file may
// still be open: it is returned again when it grows. Every other one is returned once; [Reader.Marks] says what changes
// of it later.
func (r *Reader) Take() []Turn { return nil }

// Marks returns the turns that an earlier Take returned and whose Abandoned has changed since the last Marks, in order.
func (r *Reader) Marks() []Mark { return nil }

// Info returns what the lines so far say about the file.
func (r *Reader) Info() Info { return r.info }

// Turns returns how many turns the file has so far.
func (r *Reader) Turns() int { return r.turns }
