package intent

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// ParseExamples reads questions from a text of sections. "[kind | class]" begins
// one; then each line is a question with the name of its symbol in braces, and
// maybe "=> text", the new type or name that it says. Empty lines and those that
// begin with "#" are skipped.
func ParseExamples(r io.Reader) ([]Example, error) {
	var list []Example
	var section Example
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if head, ok := strings.CutPrefix(line, "["); ok {
			kind, class, _ := strings.Cut(strings.TrimSuffix(head, "]"), "|")
			section = Example{Kind: strings.TrimSpace(kind), Subject: Subject{Class: Class(strings.TrimSpace(class))}}
			continue
		}
		for _, question := range variants(line) {
			e, ok := section.asked(question)
			if !ok {
				return nil, fmt.Errorf("line %d names no symbol in braces", n)
			}
			list = append(list, e)
		}
	}
	return list, lines.Err()
}

// asked returns an example of the section with a question.
func (e Example) asked(line string) (Example, bool) {
	question, to, _ := cutLast(line, " => ")
	_, rest, opens := strings.Cut(question, "{")
	name, _, closes := strings.Cut(rest, "}")
	e.Text, e.Subject.Name, e.To = strings.ReplaceAll(question, "{"+name+"}", name), name, to
	return e, opens && closes
}

var choice = matching(`<([^<>]*\|[^<>]*)>`)

// variants returns the questions that a pattern stands for: not all of them, but so
// many that each alternative occurs.
func variants(pattern string) []string {
	groups := choice.get().FindAllStringSubmatch(pattern, -1)
	n := 1
	for _, g := range groups {
		n = max(n, strings.Count(g[1], "|")+1)
	}
	var list []string
	for i := range n {
		turn := 0
		list = append(list, choice.get().ReplaceAllStringFunc(pattern, func(group string) string {
			turn++
			options := strings.Split(group[1:len(group)-1], "|")
			return options[(i*turn+i/len(options))%len(options)]
		}))
	}
	return list
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}
