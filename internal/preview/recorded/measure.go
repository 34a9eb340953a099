package recorded

import (
	"fmt"
	"unicode/utf8"
)

// Share is how much of what a person looks for is shown, and how much is shown at all.
type Share struct {
	Found, Looked int                 // parts of lines
	Shown, Whole  int                 // characters of what is shown, and of the outputs
	Missing       map[string][]string // by case, what is not shown
}

// Recall returns the part of what is looked for that is shown, 0 to 1.
func (s Share) Recall() float64 { return float64(s.Found) / float64(max(1, s.Looked)) }

// Cost returns the part of all characters that is shown, 0 to 1.
func (s Share) Cost() float64 { return float64(s.Shown) / float64(max(1, s.Whole)) }

// Measure compares what show returns of each recorded output with what a person looks for in it. Of the cases below a directory
// those count that are wanted.
func Measure(dir string, wanted func(Case) bool, show func(Case, Output) string) (Share, error) {
	share := Share{Missing: make(map[string][]string)}
	cases, err := Cases(dir)
	if err != nil {
		return share, err
	}
	for _, c := range cases {
		if !wanted(c) {
			continue
		}
		out, err := ReadOutput(dir, c.Name)
		if err != nil {
			return share, err
		}
		text := show(c, out)
		missing := c.Missing(text)
		if len(missing) > 0 {
			share.Missing[c.Name] = missing
		}
		share.Looked += len(c.Look)
		share.Found += len(c.Look) - len(missing)
		share.Shown += utf8.RuneCountInString(text)
		share.Whole += utf8.RuneCountInString(out.Stdout) + utf8.RuneCountInString(out.Stderr)
	}
	if share.Looked == 0 {
		return share, fmt.Errorf("no recorded case is wanted of those below %s", dir)
	}
	return share, nil
}
