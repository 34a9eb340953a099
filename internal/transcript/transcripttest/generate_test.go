package transcripttest

import (
	"bytes"
	"crypto/sha256"
	"io"
	"testing"

	"tidepool/internal/transcript"
)

func TestSameSeedSameBytes(t *testing.T) {
	for _, o := range []Options{{}, {Turns: 40, Shapes: true}} {
		var b bytes.Buffer
		n, err := Write(&b, 7, o)
		if err != nil || n != int64(b.Len()) {
			t.Fatal(n, b.Len(), err)
		}
		if !bytes.Equal(b.Bytes(), Generate(7, o).Data()) {
			t.Errorf("%+v: Write and Generate differ", o)
		}
		if bytes.Equal(b.Bytes(), Generate(8, o).Data()) {
			t.Errorf("%+v: two seeds give the same bytes", o)
		}
	}
}

func TestArchiveIsOfRealSizes(t *testing.T) {
	var bytes, turns, sessions int64
	sum := sha256.New()
	for s := range Archive(3, 4000, "/home/dev/shop") {
		n, err := Write(io.MultiWriter(sum), s.Seed, s.Options)
		if err != nil {
			t.Fatal(err)
		}
		bytes, turns, sessions = bytes+n, turns+int64(s.Options.Turns), sessions+1
	}
	t.Logf("%d sessions, %d turns, %d bytes a turn", sessions, turns, bytes/turns)
	if turns != 4000 || bytes/turns < 3900 || bytes/turns > 4500 {
		t.Errorf("%d turns of %d bytes in the mean, want 4000 of 4200", turns, bytes/turns)
	}
}

// The generator is for readers, so it must be right itself: what it wants is what a reader finds, whatever the seed.
func TestReaderFindsWhatIsWanted(t *testing.T) {
	for seed := range uint64(300) {
		o := Options{Shapes: true, Turns: 12}
		if seed%3 == 0 {
			o.Parent = "0ca382b0-6bd7-486f-a09e-211ffb89e4f9"
		}
		f := Generate(seed, o)
		r := transcript.NewReader(transcript.Sources()[0], f.Session)
		at := int64(0)
		for _, line := range f.Lines {
			r.Line(at, line)
			at += int64(len(line)) + 1
		}
		if diff := Diff(r.Take(), f.Want); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if i := r.Info(); i.Session != f.Session || i.Sidechain != (o.Parent != "") || i.Unreadable%5 != 0 {
			t.Fatalf("seed %d: %+v", seed, i)
		}
	}
}
