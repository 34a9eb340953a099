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

// programs returns the names of what a statement runs.
func programs(statement *syntax.Stmt) []string {
	var names []string
	syntax.Walk(statement, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				names = append(names, path.Base(n.Args[0].Lit()))
			}
		}
		return len(names) < MaxCommands
	})
	return names
}

// discards reports whether a statement redirects its output.
func discards(statement *syntax.Stmt) bool {
	return slices.ContainsFunc(statement.Redirs, func(r *syntax.Redirect) bool {
		return r.Op == syntax.RdrOut || r.Op == syntax.AppOut || r.Op == syntax.RdrAll || r.Op == syntax.AppAll
	})
}

func allHarmless(statements []*syntax.Stmt) bool {
	return !slices.ContainsFunc(statements, func(s *syntax.Stmt) bool { return !harmless(s) })
}

// harmless reports whether a statement cannot be why the line fails. cd can.
func harmless(statement *syntax.Stmt) bool {
	if _, ok := statement.Cmd.(*syntax.CallExpr); !ok {
		if _, ok := statement.Cmd.(*syntax.DeclClause); !ok {
			if pipe, ok := statement.Cmd.(*syntax.BinaryCmd); !ok || pipe.Op != syntax.Pipe {
				return false
			}
		}
	}
	return !slices.ContainsFunc(programs(statement), func(name string) bool {
		switch name {
		case "echo", "printf", "true", ":", "set", "export", "sleep", "date", "pwd", "tail", "tee", "cat", "wc", "sort", "cut", "tr", "uniq", "sed":
			return false
		}
		return true
	})
}

// fails reports whether a statement always ends in failure, as || exit 1 does.
func fails(statement *syntax.Stmt) bool {
	switch c := statement.Cmd.(type) {
	case *syntax.Block:
		return len(c.Stmts) > 0 && fails(c.Stmts[len(c.Stmts)-1])
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return false
		}
		switch c.Args[0].Lit() {
		case "false":
			return true
		case "exit":
			return len(c.Args) == 1 || c.Args[1].Lit() != "0"
		}
	}
	return false
}
