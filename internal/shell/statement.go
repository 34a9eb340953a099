package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// list reads statements one after the other. Without set -e only the last one's status is the list's.
func (r *reader) list(statements []*syntax.Stmt, s state) {
	for i, statement := range statements {
		each := s
		others := slices.Concat(statements[:i], statements[i+1:])
		if r.errexit {
			each.ifNot = s.ifNot && allHarmless(others)
		} else if i < len(statements)-1 {
			each.ifZero, each.ifNot = false, false
		}
		r.statement(statement, each)
	}
}

func (r *reader) statement(statement *syntax.Stmt, s state) {
	if statement.Negated {
		s.ifZero, s.ifNot = false, false
	}
	if statement.Background || statement.Coprocess || statement.Disown {
		s.apart, s.ifZero, s.ifNot = true, false, false
	}
	for _, redirect := range statement.Redirs {
		s = r.redirect(redirect, s)
	}
	switch c := statement.Cmd.(type) {
	case *syntax.CallExpr:
		r.call(c, s)
	case *syntax.BinaryCmd:
		r.binary(c, s)
	case *syntax.Block:
		r.list(c.Stmts, s)
	case *syntax.Subshell:
		pipefail, errexit := r.pipefail, r.errexit
		r.list(c.Stmts, s)
		r.pipefail, r.errexit = pipefail, errexit
	case *syntax.TimeClause:
		if c.Stmt != nil {
			r.statement(c.Stmt, s)
		}
	default:
		r.control(statement.Cmd, s)
	}
}

// control reads a loop or a condition: whether a command in it runs, and how often, is not known.
func (r *reader) control(command syntax.Command, s state) {
	s.ifZero, s.ifNot = false, false
	switch c := command.(type) {
	case *syntax.IfClause:
		for branch := c; branch != nil; branch = branch.Else {
			r.each(s, branch.Cond, branch.Then)
		}
	case *syntax.WhileClause:
		r.each(s, c.Cond, c.Do)
	case *syntax.ForClause:
		r.each(s, c.Do)
	case *syntax.CaseClause:
		for _, item := range c.Items {
			r.each(s, item.Stmts)
		}
	}
}

func (r *reader) each(s state, lists ...[]*syntax.Stmt) {
	for _, list := range lists {
		for _, statement := range list {
			r.statement(statement, s)
		}
	}
}

func (r *reader) binary(c *syntax.BinaryCmd, s state) {
	x, y := s, s
	switch c.Op {
	case syntax.AndStmt:
		x.ifNot = s.ifNot && harmless(c.Y)
		y.ifNot = s.ifNot && harmless(c.X)
	case syntax.OrStmt:
		x.ifZero = s.ifZero && fails(c.Y)
		y.ifZero = false
	default: // a pipe
		x.filters = slices.Concat(programs(c.Y), s.filters)
		x.hidden, x.file = s.hidden || discards(c.Y), s.file
		x.ifZero = s.ifZero && r.pipefail
		x.ifNot = s.ifNot && r.pipefail && harmless(c.Y)
		y.ifNot = s.ifNot && (!r.pipefail || harmless(c.X))
	}
	r.statement(c.X, x)
	r.statement(c.Y, y)
}

func (r *reader) redirect(redirect *syntax.Redirect, s state) state {
	switch redirect.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		if redirect.Hdoc != nil {
			s.input = r.text(redirect.Hdoc)
		}
	case syntax.WordHdoc:
		s.input = r.text(redirect.Word)
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		if redirect.N == nil || redirect.N.Value == "1" {
			s.hidden, s.file = true, r.text(redirect.Word)
		}
	}
	return s
}

// call reads the run of one program.
func (r *reader) call(c *syntax.CallExpr, s state) {
	words := make([]string, 0, len(c.Args))
	for _, word := range c.Args {
		words = append(words, r.text(word))
	}
	words = unwrap(words)
	if len(words) == 0 || len(r.commands) == MaxCommands {
		return
	}
	r.set(words)
	if inner := script(words); inner != "" && r.shells > 0 {
		r.shells--
		pipefail, errexit := r.pipefail, r.errexit
		r.pipefail, r.errexit = false, false
		err := r.line(inner, s)
		r.pipefail, r.errexit = pipefail, errexit
		if err == nil {
			return
		}
	}
	words[0] = path.Base(words[0])
	r.commands = append(r.commands, Command{
		Words: words, Input: s.input, Filters: s.filters, Hidden: s.hidden, Apart: s.apart, IfZero: s.ifZero, IfNot: s.ifNot,
	})
	r.files = append(r.files, s.file)
}

// set follows the options that change whose status counts.
func (r *reader) set(words []string) {
	if words[0] != "set" {
		return
	}
	for i, word := range words[1:] {
		r.errexit = r.errexit || strings.HasPrefix(word, "-") && strings.Contains(word, "e") || word == "errexit"
		r.pipefail = r.pipefail || word == "pipefail" && strings.HasPrefix(words[i], "-")
	}
}

// script returns the line that bash -c is given; "": none.
func script(words []string) string {
	switch path.Base(words[0]) {
	case "bash", "sh", "zsh", "dash":
	default:
		return ""
	}
	for i, word := range words[1:] {
		if !strings.HasPrefix(word, "-") {
			return ""
		}
		if !strings.HasPrefix(word, "--") && strings.HasSuffix(word, "c") && i+2 < len(words) {
			return words[i+2]
		}
	}
	return ""
}
