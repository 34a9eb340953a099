package transcript_test

import (
	"testing"

	"pgregory.net/rapid"

	"tidepool/internal/transcript"
	"tidepool/internal/transcript/transcripttest"
)

// However a file is split into writes, its turns are those of the whole, and the number of a turn never changes.
func TestTurnsDoNotDependOnHowTheFileGrew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := transcripttest.Generate(rapid.Uint64().Draw(t, "seed"), transcripttest.Options{
			Turns: rapid.IntRange(1, 20).Draw(t, "turns"), Shapes: rapid.Bool().Draw(t, "shapes"),
		})
		pause := rapid.IntRange(1, len(f.Lines)).Draw(t, "pause")
		r := transcript.NewReader(transcript.Sources()[0], f.Session)
		var kept []transcript.Turn
		at := int64(0)
		for i, line := range f.Lines {
			r.Line(at, line)
			at += int64(len(line)) + 1
			if (i*7)%pause == 0 || i == len(f.Lines)-1 {
				kept = take(t, r, kept)
			}
		}
		if diff := transcripttest.Diff(kept, f.Want); diff != "" {
			t.Fatal(diff)
		}
		if r.Turns() != len(f.Want) {
			t.Fatalf("%d turns, want %d", r.Turns(), len(f.Want))
		}
		if turns, marks := r.Take(), r.Marks(); len(turns)+len(marks) > 0 {
			t.Fatalf("nothing was read, yet %d turns and %d marks are new", len(turns), len(marks))
		}
	})
}

// take keeps turns as an archive does: by their number, and marked when a mark says so.
func take(t *rapid.T, r *transcript.Reader, kept []transcript.Turn) []transcript.Turn {
	for _, turn := range r.Take() {
		switch n := turn.Number; {
		case n > len(kept):
			t.Fatalf("turn %d comes when there are %d", n, len(kept))
		case n == len(kept):
			kept = append(kept, turn)
		case kept[n].UUID != turn.UUID || kept[n].Start != turn.Start:
			t.Fatalf("turn %d was %s and is %s", n, kept[n].UUID, turn.UUID)
		default:
			kept[n] = turn
		}
	}
	for _, mark := range r.Marks() {
		kept[mark.Number].Abandoned = mark.Abandoned
	}
	return kept
}
