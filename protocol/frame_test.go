package protocol

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadLineEdges(t *testing.T) {
	long := strings.Repeat("x", MaxLine)
	tests := []struct {
		name, in string
		want     []string // each a line, or "!" and the error
	}{
		{"empty stream", "", []string{"!EOF"}},
		{"one line", "a\n", []string{"a", "!EOF"}},
		{"empty lines", "\n\na\n", []string{"", "", "a", "!EOF"}},
		{"end inside a line", "a\nb", []string{"a", "b!unexpected EOF", "!EOF"}},
		{"longest line", long + "\nb\n", []string{long, "b", "!EOF"}},
		{"too long, framing holds", long + "x\nb\n", []string{"!" + ErrLineTooLong.Error(), "b", "!EOF"}},
		{"far too long", strings.Repeat(long, 2) + "\nb\n", []string{"!" + ErrLineTooLong.Error(), "b", "!EOF"}},
		{"too long without an end", long + "xy", []string{"!" + ErrLineTooLong.Error(), "!EOF"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(test.in))
			for i, want := range test.want {
				line, err := r.ReadLine()
				got := string(line)
				if err != nil {
					got += "!" + err.Error()
				}
				if got != want {
					t.Fatalf("read %d: got %.40q (%d bytes), want %.40q", i, got, len(got), want)
				}
			}
		})
	}
}

func TestReadLinePassesOnTheStreamsError(t *testing.T) {
	broken := errors.New("broken")
	r := NewReader(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)))
	if _, err := r.ReadLine(); err != broken {
		t.Fatalf("got %v, want %v", err, broken)
	}
}

// FuzzReadLine compares with bytes.Split, however the stream is cut in pieces.
func FuzzReadLine(f *testing.F) {
	f.Add([]byte("a\nb\n"), true)
	f.Add([]byte("\n\r\n\x00"), false)
	f.Add(bytes.Repeat([]byte("0123456789abcdef"), 600), true)
	f.Fuzz(func(t *testing.T, data []byte, oneByte bool) {
		var stream io.Reader = bytes.NewReader(data)
		if oneByte {
			stream = iotest.OneByteReader(stream)
		}
		r := NewReader(stream)
		var lines [][]byte
		for {
			line, err := r.ReadLine()
			if err == io.EOF {
				break
			}
			lines = append(lines, bytes.Clone(line))
			if err == io.ErrUnexpectedEOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		want := bytes.Split(data, []byte("\n"))
		if len(want[len(want)-1]) == 0 {
			want = want[:len(want)-1]
		}
		if len(lines) != len(want) {
			t.Fatalf("got %d lines, want %d", len(lines), len(want))
		}
		for i := range want {
			if !bytes.Equal(lines[i], want[i]) {
				t.Fatalf("line %d: got %q, want %q", i, lines[i], want[i])
			}
		}
	})
}

// A connection may go on in another framing behind any of its lines.
func TestReadBehindLines(t *testing.T) {
	r := NewReader(strings.NewReader("{}\nContent-Length: 2\r\n\r\n{}"))
	if _, err := r.ReadLine(); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(r)
	if err != nil || string(rest) != "Content-Length: 2\r\n\r\n{}" {
		t.Errorf("got %q, %v", rest, err)
	}
}

// A reader asks before it holds a long line, once for each step, and a line that is not admitted costs itself alone.
func TestLongLinesAskForRoom(t *testing.T) {
	errFull := errors.New("full")
	line := func(n int) string { return strings.Repeat("x", n) + "\n" }
	input := line(ShortLine-1) + line(ShortLine) + line(1<<20) + line(3<<20) + line(MaxLine) + line(10)
	r := NewReader(strings.NewReader(input))
	var asked []int
	r.LimitBy(func(size int) error {
		if asked = append(asked, size); size > 4<<20 {
			return errFull
		}
		return nil
	})
	for i, want := range []struct {
		length int
		err    error
		asked  []int
	}{
		{ShortLine - 1, nil, nil},
		{ShortLine, nil, []int{256 << 10}},
		{1 << 20, nil, []int{256 << 10, 2 << 20}},
		{3 << 20, errFull, []int{256 << 10, 2 << 20, MaxLine + 1}},
		{MaxLine, errFull, []int{256 << 10, 2 << 20, MaxLine + 1}},
		{10, nil, nil},
	} {
		asked = nil
		got, err := r.ReadLine()
		if err != want.err || err == nil && len(got) != want.length || !slices.Equal(asked, want.asked) {
			t.Errorf("line %d: %d bytes, %v, asked for %v, want %+v", i, len(got), err, asked, want)
		}
	}
}

// A long line that was released stays what it is while others are read; its buffer is not kept.
func TestReleasedLinesStay(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	r := NewReader(strings.NewReader("short\n" + long + "\n" + strings.Repeat("y", 100_000) + "\n"))
	if _, err := r.ReadLine(); err != nil || r.Release() {
		t.Errorf("a short line is released, or %v", err)
	}
	line, err := r.ReadLine()
	if err != nil || !r.Release() {
		t.Fatalf("a long line is not released, or %v", err)
	}
	if _, err := r.ReadLine(); err != nil || string(line) != long {
		t.Errorf("the released line has changed, or %v", err)
	}
	if _, err := r.ReadLine(); err != io.EOF || cap(r.long) > ShortLine {
		t.Errorf("%v, and a buffer of %d bytes is kept", err, cap(r.long))
	}
}
