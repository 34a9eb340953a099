// Package render writes an answer of scout as text, for a model and for people.
package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tidepool/internal/wording"
	"tidepool/scout"
)

// Limits of a text's lists; beyond them it becomes shorter.
const (
	maxNumbers = 10 // lines of one declaration
	maxRows    = 40 // declarations: with more, those of a file are not named one by one
	maxCertain = 1  // declarations in which something no longer compiles: to mend it the lines are enough
	maxLines   = 40 // lines of one file whose declarations are not named
)

// Text renders an answer for a model: the summary; then, of what is certain and
// of what is not, what to do and below it the places, those of one file together
// and those of one declaration on one line; then who judged.
func Text(a *scout.Answer) string {
	var b strings.Builder
	writeLine(&b, a.Summary)
	certain, others := a.Touched()
	writePlaces(&b, a, "", certain)
	title := ""
	if len(certain) > 0 {
		title = "besides, "
	}
	writePlaces(&b, a, title, others)
	writeReasons(&b, a.Pointers)
	if text := closing(a, len(others)); text != "" {
		writeLine(&b, text)
	}
	return b.String()
}

func writePlaces(b *strings.Builder, a *scout.Answer, title string, places []scout.Pointer) {
	if len(places) == 0 {
		return
	}
	b.WriteByte('\n')
	written, groups := grouped(places)
	writeRows(b, a, title, written)
	for _, g := range groups {
		writeLine(b, title+g.String())
	}
}

// writeRows writes places one by one, below what to do there.
func writeRows(b *strings.Builder, a *scout.Answer, title string, places []scout.Pointer) {
	if len(places) == 0 {
		return
	}
	rows := rowsOf(a.Understood.Change, places, notesOf(a, places))
	if len(rows) > maxRows || len(rows) > maxCertain && places[0].Certain {
		rows = perFile(rows)
	}
	var l legend
	if !a.Understood.Change.Open() {
		l = legendOf(rows)
		writeLine(b, title+l.String()+":")
	}
	builds := buildsOf(places)
	for _, d := range directoriesOf(filesOf(rows)) {
		d.write(b, l, builds)
	}
}

// closing returns who judged, if the judgement may have left places out, and what
// was found besides.
func closing(a *scout.Answer, others int) string {
	var parts []string
	if a.Ordered() || others > 0 && a.ModelCalls > 0 {
		parts = append(parts, a.Scorer)
	}
	if a.ModelCalls > 0 {
		parts = append(parts, wording.Count(a.ModelCalls, "model call"))
	}
	if n := a.LeftOut.Irrelevant + a.LeftOut.Context; n > 0 {
		parts = append(parts, wording.Count(n, "other place")+" unaffected")
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func writeLine(b *strings.Builder, text string) {
	b.WriteString(printable(text))
	b.WriteByte('\n')
}

// printable keeps a text on one line of valid UTF-8, whatever a path or a piece
// of source holds.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// writeReasons adds a line per place that is explained.
func writeReasons(b *strings.Builder, places []scout.Pointer) {
	for _, p := range places {
		if len(p.Weighed) == 0 {
			continue
		}
		texts := make([]string, len(p.Weighed))
		for i, weighed := range p.Weighed {
			texts[i] = weighed.String()
		}
		writeLine(b, p.Location+" because of "+strings.Join(texts, ", "))
	}
}
