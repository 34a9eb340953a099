// Package svg draws the screen of a terminal as a picture: a window with a title bar, in light or dark.
//
// A picture needs nothing beside itself: no script, no font file. Each run of text has its place and its width in the picture, so
// columns stand below each other in whatever monospaced font the reader has. The same screen gives the same bytes.
package svg

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode"

	uv "github.com/charmbracelet/ultraviolet"
)

// Sizes in a picture, in its own units. A cell is 0.6 of the font size wide, as in most monospaced fonts.
const (
	fontSize   = 14
	cellWidth  = 8.4
	cellHeight = 20
	baseline   = 14.5 // of a line, below its top
	margin     = 16   // around the text
	bar        = 34   // height of the title bar
)

const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

// Draw returns a picture of the screen down to its last line that shows something. The title is for people who do not see it.
func Draw(screen *uv.Buffer, theme Theme, title string) string {
	rows := used(screen)
	width, height := 2*margin+float64(screen.Width())*cellWidth, float64(bar+margin+rows*cellHeight)
	p := &picture{theme: theme}
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="img">`, number(width), number(height))
	p.add(`<title>%s</title>`, escape(title))
	p.window(width, height)
	p.add(`<g font-family="%s" font-size="%d" fill="%s" style="white-space:pre">`, fonts, fontSize, theme.text)
	for y := range rows {
		p.line(screen.Line(y), y)
	}
	p.add("</g>")
	p.add("</svg>")
	return p.text.String()
}

// used returns the number of lines down to the last one that is not blank.
func used(screen *uv.Buffer) int {
	for y := screen.Height(); y > 0; y-- {
		for _, cell := range screen.Line(y - 1) {
			if !blank(cell) || cell.Style.Bg != nil {
				return y
			}
		}
	}
	return 0
}

// A picture is what has been drawn yet.
type picture struct {
	theme Theme
	text  strings.Builder
}

func (p *picture) add(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// window draws the frame, and three buttons.
func (p *picture) window(width, height float64) {
	p.add(`<rect x="0.5" y="0.5" width="%s" height="%s" rx="9" fill="%s" stroke="%s"/>`, number(width-1), number(height-1), p.theme.paper, p.theme.frame)
	for i, colour := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		p.add(`<circle cx="%d" cy="18" r="6" fill="%s"/>`, 20+20*i, colour)
	}
}

// line draws a line of the screen: first what is behind the text, then the text.
func (p *picture) line(cells uv.Line, y int) {
	top := float64(bar + y*cellHeight)
	runs := split(cells)
	for _, r := range runs {
		if paint := p.theme.paint(r.style); paint.behind != "" {
			p.add(`<rect x="%s" y="%s" width="%s" height="%d" fill="%s"/>`, number(column(r.from)), number(top), number(float64(r.cells)*cellWidth), cellHeight, paint.behind)
		}
	}
	for _, r := range runs {
		if words := r.text.String(); strings.TrimSpace(words) != "" {
			p.add(`<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</text>`, number(column(r.from)), number(top+baseline),
				number(float64(r.cells)*cellWidth), p.theme.paint(r.style).attributes(), escape(words))
		}
	}
}

func column(x int) float64 { return margin + float64(x)*cellWidth }

// number writes a length with a tenth at most.
func number(n float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0") }

// escape writes a text for XML. Control characters, those that turn the direction of text among them, are replaced by U+FFFD.
func escape(text string) string {
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(strings.Map(shown, text))) // a Builder takes everything
	return escaped.String()
}

func shown(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
		return unicode.ReplacementChar
	}
	return r
}
