// Package page formats what a command prints for a person: labelled rows of at most 80 columns, foreign text escaped,
// colours only at a terminal whose user wants them.
package page

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"tidepool/internal/logging"
)

const (
	width      = 80 // columns of a line
	labelWidth = 12 // columns of the labels, without the gap after them
	gap        = "  "
)

// A Tone says how a row is meant. It colours the label.
type Tone string

// The tones; the values are parameters of the terminal's SGR sequence.
const (
	Plain Tone = ""
	Good  Tone = "32"
	Odd   Tone = "33"
	Bad   Tone = "31"
)

// A Page is written row by row. After a failed write the others do nothing.
type Page struct {
	out     io.Writer
	colours bool
	err     error
}

// New returns a page on out, coloured if out is a terminal and neither $NO_COLOR nor $TERM says otherwise.
func New(out io.Writer) *Page {
	file, isFile := out.(*os.File)
	colours := isFile && logging.IsTerminal(file) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return &Page{out: out, colours: colours}
}

// Row writes a label and a text beside it, over as many lines as it takes. A row without a label continues the one
// before.
func (p *Page) Row(tone Tone, label, text string) {
	label = logging.Escape(label)
	room := width - max(labelWidth, columns(label)) - len(gap)
	for i, line := range wrap(logging.Escape(text), max(room, labelWidth)) {
		if i > 0 {
			label, tone = "", Plain
		}
		p.labelled(tone, label, line)
	}
}

// Line is a Row of one line, however long: for what is copied whole.
func (p *Page) Line(tone Tone, label, text string) {
	p.labelled(tone, logging.Escape(label), logging.Escape(text))
}

// Text writes a paragraph across the page.
func (p *Page) Text(tone Tone, text string) {
	for _, line := range wrap(logging.Escape(text), width) {
		p.line(p.paint(tone, line))
	}
}

// Err is the first error of writing.
func (p *Page) Err() error { return p.err }

func (p *Page) labelled(tone Tone, label, text string) {
	space := strings.Repeat(" ", max(0, labelWidth-columns(label)))
	p.line(p.paint(tone, label) + space + gap + text)
}

func (p *Page) line(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.out, strings.TrimRight(text, " ")+"\n")
	}
}

func (p *Page) paint(tone Tone, text string) string {
	if !p.colours || tone == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(tone) + "m" + text + "\x1b[0m"
}

// wrap breaks a text between words, and inside those that are wider than a line. There is at least one line.
func wrap(text string, room int) []string {
	var lines []string
	line, used, begun := "", 0, false
	for word := range strings.SplitSeq(strings.TrimRight(text, " "), " ") { // two spaces stay two: they may be a pattern's
		if begun && used+1+columns(word) <= room {
			line, used = line+" "+word, used+1+columns(word)
			continue
		}
		if begun {
			lines = append(lines, line)
		}
		for head := cut(word, room); len(head) < len(word); head = cut(word, room) {
			lines, word = append(lines, head), word[len(head):]
		}
		line, used, begun = word, columns(word), true
	}
	return append(lines, line)
}

// cut returns the start of a word that fits; of a path, whole names.
func cut(word string, room int) string {
	used := 0
	for i, r := range word {
		if used += columnsOf(r); used > room {
			if slash := strings.LastIndexByte(word[:i], '/'); slash > 0 {
				i = slash + 1
			}
			return word[:i]
		}
	}
	return word
}

func columns(text string) int {
	if utf8.RuneCountInString(text) == len(text) {
		return len(text)
	}
	n := 0
	for _, r := range text {
		n += columnsOf(r)
	}
	return n
}

// columnsOf returns the most that a character takes: from Hangul on, some take two columns.
func columnsOf(r rune) int {
	if r >= 0x1100 {
		return 2
	}
	return 1
}
