package tools

import (
	"errors"
	"fmt"
	"strings"
)

// maxExamples bounds the examples of one tool.
const maxExamples = 5

// An Example is a call of a tool that works, with what its answer contains. A description file has examples after the text:
//
//	## Who calls a method
//
//	{"name": "List.Of"}
//
//	> List.Of (price/price.go:18): 1 call
//	> till/till.go:10
//
// An id that nobody can know before (ref_…, mem_…, ghap_…) is written as one of its form; a test puts in one of an answer before.
type Example struct {
	Title  string   // what it is for
	Input  string   // the arguments, as one line of JSON
	Answer []string // lines that the answer contains, in this order; "…" in one stands for any text
}

// cutExamples splits the body of a description file into the text and the examples.
func cutExamples(body string) (text string, examples []Example, err error) {
	sections := strings.Split("\n"+body, "\n## ")
	for _, section := range sections[1:] {
		e, err := parseExample(section)
		if err != nil {
			return "", nil, err
		}
		examples = append(examples, e)
	}
	if len(examples) > maxExamples {
		return "", nil, fmt.Errorf("there are %d examples: keep at most %d", len(examples), maxExamples)
	}
	return strings.TrimSpace(sections[0]), examples, nil
}

// parseExample reads a section without the "## " of its heading.
func parseExample(section string) (Example, error) {
	title, rest, _ := strings.Cut(section, "\n")
	e := Example{Title: strings.TrimSpace(title)}
	var input []string
	for line := range strings.Lines(rest) {
		line = strings.TrimSpace(line)
		if answer, is := strings.CutPrefix(line, "> "); is {
			e.Answer = append(e.Answer, answer)
		} else if line != "" {
			input = append(input, line)
		}
	}
	e.Input = strings.Join(input, " ")
	if e.Title == "" || e.Input == "" || len(e.Answer) == 0 {
		return Example{}, errors.New("an example needs a title, arguments and at least one line of the answer: " + e.Title)
	}
	return e, nil
}

// Missing returns the first line of the example's answer that a text does not contain after those before it; "" if it has all.
func (e Example) Missing(text string) string {
	for _, line := range e.Answer {
		rest, found := after(text, line)
		if !found {
			return line
		}
		text = rest
	}
	return ""
}

// after returns what follows the first line of text that contains the parts of a pattern, in order.
func after(text, pattern string) (rest string, found bool) {
	for line := range strings.Lines(text) {
		text = text[len(line):]
		if containsParts(line, strings.Split(pattern, "…")) {
			return text, true
		}
	}
	return "", false
}

func containsParts(line string, parts []string) bool {
	for _, part := range parts {
		at := strings.Index(line, strings.TrimSpace(part))
		if at < 0 {
			return false
		}
		line = line[at+len(strings.TrimSpace(part)):]
	}
	return true
}
