package conversation

import (
	"time"

	"tidepool/internal/conversation/store"
	"tidepool/internal/conversation/tail"
	"tidepool/internal/transcript"
	"tidepool/internal/wording"
)

// Bounds of what is kept of the tools of a turn.
const (
	mostToolText = 2 << 10   // bytes of each text
	mostTools    = 256 << 10 // bytes of them together
)

// convert returns a turn as it is stored: without secrets, and with the times of the past.
func (k *Keeper) convert(t *transcript.Turn, f *tail.File) store.Turn {
	turn := store.Turn{
		Number: t.Number, UUID: t.UUID, Copied: t.Session != "" && t.Session != f.Session && !f.Sidechain, At: k.past(t.At, f), Abandoned: t.Abandoned,
		Body: store.Body{User: k.clean(t.User), Answer: k.clean(t.Answer), Cut: t.Cut},
	}
	room := mostTools
	for _, tool := range t.Tools {
		tool = mapTool(tool, func(text string) string {
			kept := wording.ClipBytes(k.clean(text), min(mostToolText, room))
			turn.Cut += max(0, len(text)-len(kept))
			room -= len(kept)
			return kept
		})
		if room -= len(tool.Name); room < 0 {
			turn.Cut += len(tool.Name)
			break
		}
		turn.Tools = append(turn.Tools, tool)
	}
	return turn
}

// past returns a time of a record. One of the future counts as the time at which the file was changed.
func (k *Keeper) past(at time.Time, f *tail.File) time.Time {
	now := k.archive.options.now()
	switch {
	case !at.After(now.Add(clockSkew)):
		return at
	case f.ModTime.After(now):
		return now.UTC().Truncate(time.Millisecond)
	}
	return f.ModTime.UTC()
}

func (k *Keeper) clean(text string) string { return k.archive.clean(text) }
