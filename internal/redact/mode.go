package redact

import (
	"fmt"

	"tidepool/internal/scrub"
)

// A Mode says which secrets are replaced in the responses of a coding agent's own tools.
type Mode uint8

const (
	Known Mode = iota // values that the session's user is known to keep secret
	All               // those, and what has the form of a secret
	Off               // none
)

// ParseMode returns the mode of a setting: known, all or off.
func ParseMode(name string) (Mode, error) {
	switch name {
	case "known":
		return Known, nil
	case "all":
		return All, nil
	case "off":
		return Off, nil
	}
	return Known, fmt.Errorf("%q is no mode: use known, all or off", name)
}

func (m Mode) String() string {
	switch m {
	case Known:
		return "known"
	case All:
		return "all"
	}
	return "off"
}

// A Scrubber replaces the secrets of texts, for one session. It is safe for concurrent use. A text that cannot be searched is
// withheld, with the one Finding scrub.Withheld. The tokens in place of secrets end with the first ']' in them.
type Scrubber interface {
	Text(text string) (string, []scrub.Finding)  // known values and known forms
	Known(text string) (string, []scrub.Finding) // known values only
}

// search returns a text without the secrets of a mode.
func (m Mode) search(s Scrubber, text string) (string, []scrub.Finding) {
	switch m {
	case Known:
		return s.Known(text)
	case All:
		return s.Text(text)
	}
	return text, nil
}
