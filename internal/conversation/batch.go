package conversation

import (
	"context"

	"tidepool/internal/conversation/store"
)

// batchTurns is how many turns of small transcripts become one transaction, about. One for each takes a sixth of the time of the first build.
const batchTurns = 500

// A batch reads small transcripts that are new, and stores them together. It is used by one goroutine, which has their files until flush.
type batch struct {
	keeper *Keeper
	whole  []*reading
	turns  [][]store.Turn // of each of whole
	count  int
}

// read reads a transcript: into the batch, or by itself if it is large, known or changes.
func (b *batch) read(ctx context.Context, path string) {
	r, err := b.keeper.start(ctx, path)
	if r == nil && err == nil {
		b.keeper.ended(ctx, path, nil)
		return
	}
	if r == nil || r.row.ID != 0 || r.file.Size > pieceSize || r.takeAll() != nil {
		if r != nil {
			r.close()
		}
		b.keeper.try(ctx, path)
		return
	}
	if _, ours := r.owner(); !ours {
		b.keeper.ended(ctx, path, nil)
		r.close()
		return
	}
	turns := r.convert()
	b.whole, b.turns, b.count = append(b.whole, r), append(b.turns, turns), b.count+len(turns)+1
	if b.count >= batchTurns {
		b.flush(ctx)
	}
}

// takeAll reads a small transcript to its end.
func (r *reading) takeAll() error {
	place, err := r.file.Read(r.live.place, 0, r.live.reader)
	if err == nil {
		r.live.place = place
		r.take()
	}
	return err
}

// flush stores what was read, and lets go of the files. If that fails, each is read by itself, so that one of them fails and not all.
func (b *batch) flush(ctx context.Context) {
	if len(b.whole) == 0 {
		return
	}
	k := b.keeper
	err := k.store.Update(ctx, func(tx *store.Tx) error {
		for i, r := range b.whole {
			if err := r.write(tx, b.turns[i], true); err != nil {
				return err
			}
		}
		return nil
	})
	for _, r := range b.whole {
		if err == nil {
			k.progress(r.live.place.Offset)
			k.putLive(r.file.Path, r.live)
			k.failedAt(r.file.Path, nil)
		}
		r.close()
	}
	if err != nil {
		for _, r := range b.whole {
			k.try(ctx, r.file.Path)
		}
	}
	b.whole, b.turns, b.count = b.whole[:0], b.turns[:0], 0
}
