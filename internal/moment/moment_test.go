package moment

import (
	"errors"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	now := time.Date(2025, 11, 20, 15, 30, 0, 0, time.FixedZone("here", 2*60*60))
	for text, want := range map[string]string{
		"":                     "0001-01-01T00:00:00Z",
		"90m":                  "2025-11-20T14:00:00+02:00",
		"36h":                  "2025-11-19T03:30:00+02:00",
		"3d":                   "2025-11-17T15:30:00+02:00",
		"2w":                   "2025-11-06T15:30:00+02:00",
		"1y":                   "2024-11-20T15:30:00+02:00",
		"Today":                "2025-11-20T00:00:00+02:00",
		" yesterday ":          "2025-11-19T00:00:00+02:00",
		"2025-11-03":           "2025-11-03T00:00:00+02:00",
		"2025-11-03 14:30":     "2025-11-03T14:30:00+02:00",
		"2025-11-03T14:30":     "2025-11-03T14:30:00+02:00",
		"2025-11-03T14:30:00Z": "2025-11-03T14:30:00Z",
	} {
		got, err := Parse(text, now)
		if err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q is %s (%v), want %s", text, got.Format(time.RFC3339), err, want)
		}
	}
	for _, text := range []string{"w", "2", "2x", "-2w", "2ww", "03.11.2025", "soon", "99999999999999999999d"} {
		if got, err := Parse(text, now); !isError(err) {
			t.Errorf("%q is %s (%v)", text, got, err)
		}
	}
}

func isError(err error) bool {
	_, is := errors.AsType[*Error](err)
	return is
}
