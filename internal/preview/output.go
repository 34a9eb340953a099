package preview

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"tidepool/internal/wording"
)

// maxText bounds what is read of each stream, in bytes. Offsets have four bytes.
const maxText = math.MaxUint32 / 4

// An output has the lines of both streams, stdout's first. Lines have numbers from 0.
type output struct {
	exit           int
	stdout, stderr string   // cleaned, with their line ends
	starts         []uint32 // of the lines of stdout, then of those of stderr
	border         int      // the first line of stderr
	overwritten    bool     // a line had carriage returns; what a terminal shows of it is kept
}

func newOutput(in Input) *output {
	out := &output{exit: in.Exit}
	out.stdout, out.stderr = out.clean(in.Stdout), out.clean(in.Stderr)
	out.starts = make([]uint32, 0, lineCount(out.stdout)+lineCount(out.stderr))
	out.index(out.stdout)
	out.border = len(out.starts)
	out.index(out.stderr)
	return out
}

// lineCount counts lines, of which the last one may have no end.
func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func (o *output) index(text string) {
	for at := 0; at < len(text); {
		o.starts = append(o.starts, uint32(at))
		length := strings.IndexByte(text[at:], '\n')
		if length < 0 {
			return
		}
		at += length + 1
	}
}

func (o *output) lines() int { return len(o.starts) }

// line returns a line without its end; "" for a number that no line has.
func (o *output) line(i int) string {
	if i < 0 || i >= len(o.starts) {
		return ""
	}
	text, last := o.stdout, o.border
	if i >= o.border {
		text, last = o.stderr, len(o.starts)
	}
	end := len(text)
	if i+1 < last {
		end = int(o.starts[i+1])
	}
	return strings.TrimSuffix(text[o.starts[i]:end], "\n")
}

// clean returns a text as a terminal shows it, with the same number of lines.
func (o *output) clean(text string) string {
	text = text[:min(len(text), maxText)]
	if isClean(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		content, ended := strings.CutSuffix(line, "\n")
		if !isClean(content) {
			content = o.cleanLine(content)
		}
		b.WriteString(content)
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// isClean reports whether a text is UTF-8 and has no control characters but line feeds and tabs, and none above U+007F that hide
// or change what is around them.
func isClean(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError || wording.Visible(text[i:i+size]) != text[i:i+size] {
				return false
			}
			i += size - 1
		}
	}
	return true
}

// cleanLine leaves escape sequences out, and what was overwritten after a carriage return. Tabs stay.
func (o *output) cleanLine(line string) string {
	line = strings.TrimRight(ansi.Strip(line), "\r")
	if last := strings.LastIndexByte(line, '\r'); last >= 0 {
		line, o.overwritten = line[last+1:], true
	}
	columns := strings.Split(line, "\t")
	for i, column := range columns {
		columns[i] = wording.Visible(column)
	}
	return strings.Join(columns, "\t")
}
