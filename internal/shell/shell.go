// Package shell reads a line for bash: which programs it runs, with which words, and what the exit status of the line says
// about each of them. Nothing is run and nothing is expanded.
//
// The grammar is that of mvdan.cc/sh/v3/syntax. Functions are not followed, nor are commands within an expansion: what those print
// is no output of the line.
package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// MaxLine is how many bytes a line may have. A coding agent's largest ones write a file by a here-document.
	MaxLine = 64 << 10
	// MaxCommands is how many commands of a line are returned, the first ones.
	MaxCommands = 64
	// maxShells is how deeply a line may hold another one, as bash -c does.
	maxShells = 3
	// maxNesting is how many brackets may be open. The parser calls itself for each.
	maxNesting = 200
)

// A Command is one program that a line runs.
type Command struct {
	// Words are the program and its arguments, without quotes. Assignments before it and programs that only run another one
	// (env, timeout, npx, …) are left out. What the shell would expand stands as it is written.
	Words   []string
	Input   string   // its here-document or here-string; "": none
	Filters []string // the programs that its output goes through before it is seen, in order
	Hidden  bool     // its output goes to a file or nowhere
	Apart   bool     // it runs in the background: the end of the line says nothing of it
	IfZero  bool     // if the line exits with 0, this command has run and has exited with 0
	IfNot   bool     // if the line exits with another status, this command has run and its own is not 0
}

// Parse returns the commands of a line in the order in which they stand there. Its error says that the line is no bash, or too
// large; it quotes nothing of it.
func Parse(line string) ([]Command, error) {
	r := &reader{shells: maxShells}
	if err := r.line(line, state{ifZero: true, ifNot: true}); err != nil {
		return nil, err
	}
	r.reveal()
	return r.commands, nil
}

// A reader collects the commands of a line.
type reader struct {
	source   string
	shells   int // how many lines within lines are still read
	commands []Command
	files    []string // where the output of the command at the same place goes; "": nowhere known
	pipefail bool     // set -o pipefail is in force
	errexit  bool     // set -e is
}

// A state is what holds for the commands of a statement because of where it stands.
type state struct {
	ifZero, ifNot bool
	apart, hidden bool
	file          string   // that the output goes to
	input         string   // here-document
	filters       []string // never changed in place
}

// line reads a whole line, whose exit status is that of a statement in state s.
func (r *reader) line(line string, s state) error {
	if len(line) > MaxLine || deep(line) {
		return errors.New("the command line is too large to be read")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return errors.New("the command line is not in bash's language")
	}
	outer := r.source
	r.source = line
	r.list(file.Stmts, s)
	r.source = outer
	return nil
}

// deep reports whether a line may nest deeper than the parser should follow.
func deep(line string) bool {
	open := 0
	for i := range len(line) {
		switch line[i] {
		case '(', '{':
			if open++; open > maxNesting {
				return true
			}
		case ')', '}':
			open = max(open-1, 0)
		}
	}
	return false
}

// reveal gives output that went to a file, and that a later command of the line prints from there, that command as its filter.
func (r *reader) reveal() {
	for i, file := range r.files {
		if file == "" {
			continue
		}
		for j := i + 1; j < len(r.commands); j++ {
			if prints(r.commands[j], file) {
				r.commands[i].Hidden = false
				r.commands[i].Filters = append([]string{r.commands[j].Words[0]}, r.commands[j].Filters...)
				break
			}
		}
	}
}

func prints(c Command, file string) bool {
	switch c.Words[0] {
	case "cat", "tail", "head", "grep", "sed", "less", "more":
	default:
		return false
	}
	for _, word := range c.Words[1:] {
		if word == file {
			return !c.Hidden
		}
	}
	return false
}
