package quote

import (
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/wording"
)

// Line returns a foreign text on one line of at most most characters.
func Line(text string, most int) string { return wording.Line(wording.Visible(text), most) }

// ID returns a session's id as a person reads it: the first 8 characters of a UUID, any other id whole.
func ID(session string) string {
	if len(session) == 36 && session[8] == '-' && ResumableID(session) {
		return session[:8]
	}
	return Line(session, 80)
}

// Path returns a directory on one line, with ~ for home; a home of "" is none.
func Path(dir, home string) string {
	if below, err := filepath.Rel(home, dir); err == nil && filepath.IsAbs(home) && filepath.IsLocal(below) {
		dir = filepath.Join("~", below)
	}
	return Line(dir, 200)
}

// Day returns the day of a time for somebody who reads it at now, in the time zone of now: "3 Nov", with the year if it is
// another one. It is "" for an unknown time.
func Day(at, now time.Time) string {
	local := at.In(now.Location())
	switch {
	case at.IsZero():
		return ""
	case local.Year() == now.Year():
		return local.Format("2 Jan")
	}
	return local.Format("2 Jan 2006")
}

// Title returns a session's title in quotation marks, which it cannot close.
func Title(title string) string {
	return `"` + Line(strings.ReplaceAll(title, `"`, "'"), 80) + `"`
}
