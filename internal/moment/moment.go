// Package moment reads times as a person or a model writes them.
package moment

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tidepool/internal/wording"
)

// Parse returns the time that a text means, seen from now: "2w" is two weeks ago (m minutes, h, d, w, y), "today" and "yesterday" are
// their beginnings, "2025-11-03" is a day's beginning in the time zone of now, "2025-11-03 14:30" a time of that day, and RFC 3339 is
// exact. "" is the zero time. The error is an *Error.
func Parse(text string, now time.Time) (time.Time, error) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "":
		return time.Time{}, nil
	case "today":
		return midnight(now), nil
	case "yesterday":
		return midnight(now).AddDate(0, 0, -1), nil
	}
	if at, ok := ago(text, now); ok {
		return at, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", "2006-01-02T15:04", time.DateTime} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, nil
		}
	}
	return time.Time{}, &Error{Asked: wording.Line(text, 60)}
}

// ago reads a number and a unit.
func ago(text string, now time.Time) (time.Time, bool) {
	digits := strings.TrimRight(text, "mhdwy")
	n, err := strconv.ParseUint(digits, 10, 20)
	if err != nil || len(text) != len(digits)+1 {
		return time.Time{}, false
	}
	count := int(n)
	switch text[len(digits)] {
	case 'm':
		return now.Add(-time.Duration(count) * time.Minute), true
	case 'h':
		return now.Add(-time.Duration(count) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, -count), true
	case 'w':
		return now.AddDate(0, 0, -7*count), true
	}
	return now.AddDate(-count, 0, 0), true
}

func midnight(at time.Time) time.Time {
	year, month, day := at.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, at.Location())
}

// An Error means that a text is no time.
type Error struct {
	Asked string // clipped to one line
}

func (e *Error) Error() string { return fmt.Sprintf("%q is no time", e.Asked) }

// Hint says how times are written.
func (*Error) Hint() string {
	return "write 2w (m, h, d, w, y), yesterday, 2025-11-03 or 2025-11-03T14:30:00Z"
}
