package page

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestRows(t *testing.T) {
	var out bytes.Buffer
	p := New(&out)
	p.Row(Good, "daemon", "pid 7")
	p.Row(Bad, "project", strings.Repeat("many words ", 10))
	p.Row(Plain, "", "/"+strings.Repeat("path/", 20)+" and more")
	p.Row(Plain, "long", strings.Repeat("x", 80))
	p.Row(Plain, "a longer label", "text\nwith \x1b[31mcolours")
	p.Row(Plain, "pattern", `a  b `)
	p.Line(Plain, "copied", strings.Repeat("\x1b ", 40))
	p.Row(Plain, "empty", "")
	p.Text(Odd, "across the page "+strings.Repeat("漢", 40))
	want := `daemon        pid 7
project       many words many words many words many words many words many words
              many words many words many words many words
              /path/path/path/path/path/path/path/path/path/path/path/path/path/
              path/path/path/path/path/path/path/ and more
long          xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
              xxxxxxxxxxxxxx
a longer label  text\nwith \x1b[31mcolours
pattern       a  b
copied        \x1b` + strings.Repeat(` \x1b`, 39) + `
empty
across the page
` + strings.Repeat("漢", 40) + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if p.Err() != nil {
		t.Error(p.Err())
	}
}

func TestColours(t *testing.T) {
	var out bytes.Buffer
	p := &Page{out: &out, colours: true}
	p.Row(Bad, "go", strings.Repeat("word ", 20))
	p.Text(Good, "fine")
	lines := strings.Split(out.String(), "\n")
	if !strings.HasPrefix(lines[0], "\x1b[31mgo\x1b[0m            word") || strings.Contains(lines[1], "\x1b") || lines[2] != "\x1b[32mfine\x1b[0m" {
		t.Errorf("got %q", lines)
	}
}

// A file is no terminal, even if it is one that discards.
func TestNoColoursElsewhere(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if New(null).colours || New(new(bytes.Buffer)).colours {
		t.Error("there are colours")
	}
}

type full struct{ writes int }

func (f *full) Write([]byte) (int, error) {
	f.writes++
	return 0, errors.New("no space left")
}

func TestFailedWrite(t *testing.T) {
	out := new(full)
	p := New(out)
	p.Row(Plain, "a", "b")
	p.Text(Plain, "c")
	if p.Err() == nil || out.writes != 1 {
		t.Errorf("%v after %d writes", p.Err(), out.writes)
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("a few words", 5)
	f.Add("漢字漢字", 3)
	f.Fuzz(func(t *testing.T, text string, room int) {
		if !utf8.ValidString(text) || room < 2 || room > 200 {
			return
		}
		lines := wrap(text, room)
		for _, line := range lines {
			if columns(line) > room {
				t.Errorf("%q is wider than %d", line, room)
			}
		}
		if got, want := strings.Join(strings.Fields(strings.Join(lines, "")), ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}
