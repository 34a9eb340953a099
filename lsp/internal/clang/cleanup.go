package clang

import (
	"os"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/lsp/internal/text"
)

// cleanups are the functions that __attribute__((cleanup(f))) has run at the end of a variable. clangd does not index them.
type cleanups struct {
	at     map[string][]text.Position // where code names a function for it, by the name
	fixed  map[string]int             // the line of the macro that names it, by the name
	macros []string                   // macros that are given the name
}

// define takes in what a macro stands for. parameters follow its name if it has any.
func (c *cleanups) define(name, parameters string, line int) {
	for rest := parameters; ; {
		_, behind, found := strings.Cut(rest, "cleanup")
		if !found {
			return
		}
		rest = behind
		argument, isCall := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(behind, "__"), " \t"), "(")
		function, _ := cutWord(argument)
		given, _, _ := strings.Cut(parameters, ")")
		switch {
		case !isCall || function == "":
		case strings.HasPrefix(parameters, "(") && text.Mentions(given, function):
			c.macros = append(c.macros, name)
		default:
			if c.fixed == nil {
				c.fixed = map[string]int{}
			}
			c.fixed[function] = line
		}
	}
}

// cleaned returns where a function is named for a cleanup, and which file has a macro that names it; "" if none has.
func cleaned(sources map[string]source, name string) (uses []listedUse, fixedIn string) {
	macros := map[string]bool{}
	for path, source := range sources {
		for _, at := range source.cleanups.at[name] {
			uses = append(uses, listedUse{path, at, true})
		}
		if source.cleanups.fixed[name] > 0 && (fixedIn == "" || path < fixedIn) {
			fixedIn = path
		}
		for _, m := range source.cleanups.macros {
			macros[m] = true
		}
	}
	if len(macros) > 0 {
		for path := range sources {
			uses = append(uses, givenIn(path, macros, name)...)
		}
	}
	slices.SortFunc(uses, func(a, b listedUse) int { return strings.Compare(a.path, b.path) })
	return uses, fixedIn
}

// givenIn returns where a file gives a name to one of some macros. In the body of another macro that is not sure.
func givenIn(path string, macros map[string]bool, name string) (uses []listedUse) {
	data, err := os.ReadFile(path)
	if err != nil || !text.Mentions(string(data), name) {
		return nil
	}
	for t := range lexer.Parse(path, data).AsC().Mentions(name) {
		if open := t.Outer(); t.Is(name) && macros[open.Prev().Text()] {
			line, column := t.Position()
			uses = append(uses, listedUse{path, text.Position{Line: line, Column: column}, !t.Statement().Is("#")})
		}
	}
	return uses
}
