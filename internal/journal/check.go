package journal

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tidepool/internal/scrub"
)

// A check reads the texts of a call: it trims them, judges them and takes the secrets out of them. The problems of all are one error.
type check struct {
	scrub    Scrubber
	problems []string
	withheld bool
}

// text returns a text that must not be blank.
func (c *check) text(name, text string, most int) string {
	if strings.TrimSpace(text) == "" {
		c.problem("%s must not be empty", name)
	}
	return c.optional(name, text, most)
}

// optional returns a text, which may be blank.
func (c *check) optional(name, text string, most int) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if n := utf8.RuneCountInString(text); n > most {
		c.problem("%s has %d characters, at most %d", name, n, most)
		return ""
	}
	clean, found := c.scrub.Text(text)
	c.withheld = c.withheld || len(found) == 1 && found[0].Rule == scrub.Withheld
	return clean
}

// one returns a word that must be one of a few.
func (c *check) one(name, word string, of []string) string {
	if !slices.Contains(of, word) {
		c.problem("%s must be one of %s", name, strings.Join(of, ", "))
	}
	return word
}

func (c *check) problem(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func (c *check) err() error {
	switch {
	case len(c.problems) > 0:
		return &InvalidError{c.problems}
	case c.withheld:
		return WithheldError{}
	}
	return nil
}
