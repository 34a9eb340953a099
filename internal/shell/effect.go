package shell

import (
	"path"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

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
