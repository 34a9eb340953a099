package conversation

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"tidepool/internal/conversation/store"
	"tidepool/internal/conversation/tail"
	"tidepool/internal/scrub"
	"tidepool/internal/transcript"
)

// readerVersion is raised when internal/transcript reads a line in another way. Transcripts that are still there are then read again.
const readerVersion = 1

// version is what the turns of a file come from.
const version = readerVersion*1000 + scrub.Version

// pieceSize is how many bytes of a transcript become one transaction, about: some 1,000 turns.
const pieceSize = 4 << 20

// clockSkew is how far a record may be ahead of the clock.
const clockSkew = time.Minute

// A reading reads one transcript into the store: what was added, or all of it. It is used by one goroutine, and one at a time has the file.
type reading struct {
	keeper *Keeper
	store  *store.Store
	file   *tail.File
	row    store.File // as it was stored; ID 0: it was not
	live   *live
	fresh  bool // the reader began at the first line, so it gives turns that are stored
	anew   bool // what is stored is replaced
	turns  []transcript.Turn
	marks  []transcript.Mark
	gone   map[int]bool // turns that are abandoned, of a fresh reader
	let    func()       // lets the next one have the file
}

// A live is a reader that has come to a place of a file which may grow.
type live struct {
	reader *transcript.Reader
	place  tail.Place
	used   time.Time
}

// read brings the store up to date with one transcript. What is refused is stored as such.
func (k *Keeper) read(ctx context.Context, path string) (err error) {
	for range mostRewritten {
		if err = k.readOnce(ctx, path); !errors.Is(err, tail.ErrRewritten) {
			return err
		}
	}
	return err
}

// mostRewritten is how often a file is begun again that is written anew while it is read.
const mostRewritten = 5

func (k *Keeper) readOnce(ctx context.Context, path string) error {
	r, err := k.start(ctx, path)
	if r == nil {
		return err
	}
	defer r.close()
	return r.run(ctx)
}

// start opens a transcript to read what the store lacks. It returns nil if there is nothing to read. The caller closes the reading.
func (k *Keeper) start(ctx context.Context, path string) (r *reading, err error) {
	let := k.exclude(path)
	defer func() {
		if r == nil {
			let()
		}
	}()
	k.config.Lock()
	finder, s := k.finder, k.store
	k.config.Unlock()
	f, err := finder.Open(path)
	var refused *tail.RefusedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, k.leave(ctx, path, store.Gone, "")
	case errors.As(err, &refused):
		return nil, cmp.Or(k.leave(ctx, path, store.Refused, refused.Why), err)
	case err != nil:
		return nil, err
	}
	row, err := s.File(ctx, f.Path)
	if err == nil && row.ID == 0 {
		row, err = k.moved(ctx, f)
	}
	more := false
	next := &reading{keeper: k, store: s, file: f, row: row, gone: map[int]bool{}, let: let}
	if err == nil {
		more, err = next.begin()
	}
	if !more {
		f.Close()
		return nil, err
	}
	return next, nil
}

func (r *reading) close() {
	r.file.Close()
	r.let()
}

// leave says in the store that a file is not read any more. Its turns stay.
func (k *Keeper) leave(ctx context.Context, path, state, why string) error {
	k.dropLive(path)
	return k.store.Update(ctx, func(tx *store.Tx) error {
		row, err := tx.File(path)
		if err != nil || row.ID == 0 || row.State == store.Excluded || row.State == state && row.Why == why {
			return err
		}
		row.State, row.Why = state, why
		return tx.PutFile(&row)
	})
}

// moved returns the stored file that stands at a new path now; the zero File if there is none. One that was copied is another file, as long as the first
// is there.
func (k *Keeper) moved(ctx context.Context, f *tail.File) (store.File, error) {
	rows, err := k.store.Candidates(ctx, f.Device, f.Inode, f.Session)
	if err != nil {
		return store.File{}, err
	}
	for _, row := range rows {
		if _, err := os.Lstat(row.Path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		change, err := f.Compare(placeOf(&row.File))
		if err != nil {
			return store.File{}, err
		}
		if change != tail.Rewritten || row.SID == f.Session { // else the inode was given to another file
			return row.File, nil
		}
	}
	return store.File{}, nil
}

func placeOf(row *store.File) tail.Place {
	return tail.Place{Device: row.Device, Inode: row.Inode, Size: row.Size, ModTime: row.ModTime, Offset: row.Offset, Head: row.Head, Tail: row.Tail}
}

// begin decides from where the file is read. more is false if there is nothing to read.
func (r *reading) begin() (more bool, err error) {
	change, err := r.file.Compare(placeOf(&r.row))
	if err != nil {
		return false, err
	}
	current := r.row.Version == version
	if r.row.ID != 0 && change == tail.Same && current && r.row.Path == r.file.Path && (r.row.State == store.Live || r.row.State == store.Excluded) {
		return false, nil
	}
	r.anew = r.row.ID != 0 && (change == tail.Rewritten || !current)
	r.live = r.keeper.takeLive(r.file.Path)
	if r.live == nil || r.anew || r.live.place.Offset != r.row.Offset {
		r.live = &live{reader: transcript.NewReader(r.file.Source, r.file.Session)}
		r.fresh = true
	}
	return true, nil
}

// run reads to the end of the file. Each piece is a transaction; a file that was rewritten is one. What a new reader passes once more, up to
// the stored offset, is none: the store would go back to what the file said there.
func (r *reading) run(ctx context.Context) error {
	for {
		before := r.live.place.Offset
		place, err := r.file.Read(r.live.place, pieceSize, r.live.reader)
		if err != nil {
			return err
		}
		r.live.place = place
		r.take()
		end := place.Offset == before || place.Offset >= r.file.Size // place.Size is less if the limit ended the reading
		if known, ours := r.owner(); known && !ours {
			return nil
		} else if known && (end || !r.anew && place.Offset > r.row.Offset) {
			if err := r.commit(ctx, end); err != nil {
				return err
			}
		}
		r.keeper.progress(place.Offset - before)
		if known := r.live.reader.Info().Cwd != ""; end && !known && r.row.ID != 0 {
			return r.keeper.leave(ctx, r.row.Path, store.Gone, "") // emptied: what it said stays
		}
		if end {
			r.keeper.putLive(r.file.Path, r.live)
			return nil
		}
	}
}

// owner reports whether the file has said where its session ran, and whether that is in the project.
func (r *reading) owner() (known, ours bool) {
	cwd := r.live.reader.Info().Cwd
	return cwd != "", cwd != "" && r.keeper.finder.Contains(cwd)
}

// take collects what the reader has found and the store lacks.
func (r *reading) take() {
	for _, t := range r.live.reader.Take() {
		if r.fresh {
			r.gone[t.Number] = t.Abandoned
		}
		if r.anew || !r.fresh || t.End > r.row.Offset {
			r.turns = append(r.turns, t)
		}
	}
	for _, m := range r.live.reader.Marks() {
		if r.fresh {
			r.gone[m.Number] = m.Abandoned
		}
		r.marks = append(r.marks, m)
	}
}

// commit stores what was taken, and how far the file was read.
func (r *reading) commit(ctx context.Context, end bool) error {
	turns := r.convert()
	return r.store.Update(ctx, func(tx *store.Tx) error { return r.write(tx, turns, end) })
}

// convert returns what was taken as it is stored.
func (r *reading) convert() []store.Turn {
	turns := make([]store.Turn, len(r.turns))
	for i := range r.turns {
		turns[i] = r.keeper.convert(&r.turns[i], r.file)
	}
	r.turns = nil
	return turns
}

// write stores turns, and how far the file was read.
func (r *reading) write(tx *store.Tx, turns []store.Turn, end bool) error {
	info := r.live.reader.Info()
	info.Title = r.keeper.clean(info.Title)
	row, session, ok, err := r.put(tx, info)
	if err != nil || !ok {
		return err
	}
	for i := range turns {
		turns[i].Session = session
		if err := tx.PutTurn(&turns[i]); err != nil {
			return err
		}
	}
	r.row = row
	err = r.mark(tx, session, end)
	r.marks = nil
	return err
}

// put stores the file and its session. ok is false if the user does not want it to be read.
func (r *reading) put(tx *store.Tx, info transcript.Info) (row store.File, session int64, ok bool, err error) {
	if row, err = tx.File(r.file.Path); err != nil {
		return row, 0, false, err
	}
	if row.ID == 0 && r.row.ID != 0 { // it was moved, unless it has been forgotten since
		row, err = tx.File(r.row.Path)
	}
	if err != nil {
		return row, 0, false, err
	}
	p := r.live.place
	row.Path, row.Source, row.Device, row.Inode, row.Size, row.ModTime = r.file.Path, r.file.Source.Name, p.Device, p.Inode, p.Size, p.ModTime
	row.Offset, row.Head, row.Tail, row.Version = p.Offset, p.Head, p.Tail, version
	row.Skipped, row.Unreadable = info.Skipped, info.Unreadable
	if why, err := r.keeper.unwanted(tx, &row, r.file.Session, info.Cwd); err != nil || why != "" {
		row.State, row.Why = store.Excluded, why
		return row, 0, false, errors.Join(err, tx.PutFile(&row))
	}
	row.State, row.Why = store.Live, ""
	if err := tx.PutFile(&row); err != nil {
		return row, 0, false, err
	}
	s, err := tx.OfFile(row.ID)
	if err != nil {
		return row, 0, false, err
	}
	r.describe(&s, row.ID, info)
	err = tx.PutSession(&s)
	return row, s.ID, err == nil, err
}

func (r *reading) describe(s *store.Session, file int64, info transcript.Info) {
	if s.ID == 0 {
		s.SID = r.file.Session
	}
	s.File, s.Source, s.Live = file, r.file.Source.Name, true
	s.Slug, s.Title, s.Cwd, s.Branch = info.Slug, info.Title, info.Cwd, info.Branch
	s.Sidechain = info.Sidechain || r.file.Sidechain
	s.First, s.Last = r.keeper.past(info.First, r.file), r.keeper.past(info.Last, r.file)
	switch {
	case !s.Sidechain:
		s.ForkedFrom = info.Parent
	case r.file.Parent != "":
		s.Parent = r.file.Parent
	default:
		s.Parent = info.Parent
	}
}

// mark stores which turns are abandoned, and at the end of a file that was rewritten removes what it has no longer.
func (r *reading) mark(tx *store.Tx, session int64, end bool) error {
	for _, m := range r.marks {
		if err := tx.MarkTurn(session, m.Number, m.Abandoned); err != nil {
			return err
		}
	}
	if !end || !r.fresh {
		return nil
	}
	stored, err := tx.Abandoned(session)
	if err != nil {
		return err
	}
	for n, is := range r.gone {
		if is != stored[n] {
			if err := tx.MarkTurn(session, n, is); err != nil {
				return err
			}
		}
	}
	if r.anew {
		_, err = tx.Trim(session, r.live.reader.Turns())
	}
	return err
}
