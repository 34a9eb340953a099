package intent

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// TrainingExamples reads what the weights are trained on from the files of a
// directory: training.txt and patterns.txt, and the sentences of around.txt that
// are put around their questions.
func TrainingExamples(dir string) ([]Example, error) {
	var examples []Example
	for _, name := range []string{"training.txt", "patterns.txt"} {
		more, err := readFile(filepath.Join(dir, name), ParseExamples)
		if err != nil {
			return nil, err
		}
		examples = append(examples, more...)
	}
	around, err := readFile(filepath.Join(dir, "around.txt"), ParseSurroundings)
	return around.Around(examples), err
}

func readFile[T any](name string, parse func(io.Reader) (T, error)) (T, error) {
	file, err := os.Open(name)
	if err != nil {
		var none T
		return none, err
	}
	defer file.Close()
	parsed, err := parse(file)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return parsed, err
}

// Surroundings are sentences that may stand around a question and say nothing of
// what changes.
type Surroundings struct {
	Before       []string
	Behind       []string
	BehindChange []string // of what follows from a change, whichever it is
}

// ParseSurroundings reads a text of the sections "[before]", "[behind]" and
// "[behind a change]" with a sentence a line. Empty lines and those that begin
// with "#" are skipped.
func ParseSurroundings(r io.Reader) (Surroundings, error) {
	var s Surroundings
	sections := map[string]*[]string{"[before]": &s.Before, "[behind]": &s.Behind, "[behind a change]": &s.BehindChange}
	var section *[]string
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = sections[line]
		case section == nil:
			return s, fmt.Errorf("line %d is in no section", n)
		default:
			*section = append(*section, line)
		}
	}
	return s, lines.Err()
}

// Around returns the examples, each followed by itself with sentences before it,
// behind it, or both, in turn.
func (s Surroundings) Around(examples []Example) []Example {
	behindChange := slices.Concat(s.BehindChange, s.Behind)
	var all []Example
	for i, e := range examples {
		more, behind := e, behindChange
		if e.Kind == "other" {
			behind = s.Behind
		}
		if turn := i % 3; turn != 0 && len(behind) > 0 {
			more.Text = sentenceEnd(more.Text) + " " + behind[i/3%len(behind)]
		}
		if turn := i % 3; turn != 1 && len(s.Before) > 0 {
			more.Text = s.Before[i/3%len(s.Before)] + " " + more.Text
		}
		all = append(all, e, more)
	}
	return all
}

// sentenceEnd returns a text with a stop behind it.
func sentenceEnd(text string) string {
	if strings.ContainsAny(text[max(0, len(text)-1):], ".?!:") {
		return text
	}
	return text + "."
}
