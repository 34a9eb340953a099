package clang

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/lexer"
	"tidepool/internal/macro"
	"tidepool/lsp/internal/text"
)

const (
	maxListing = 2000     // files that are read because they include lists
	maxList    = 16 << 20 // bytes of a file that is read for its macros
	maxMeant   = 8        // files whose definitions of a macro are tried
)

// A listing finds out what lists make.
type listing struct {
	*lists
	sources map[string]source
	macros  map[string][]macro.Macro // of names that were looked for, see elsewhere
	read    int                      // files that include lists
}

// all looks into the lists that files include.
func (l *listing) all(by map[string][]string) {
	var found []string
	for path, source := range l.sources {
		if source.lists && !isUnit(path) && len(by[path]) > 0 {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	for _, path := range found {
		f := l.lexed(path)
		if f == nil {
			continue
		}
		uses := invocations(f)
		for _, user := range slices.Compact(slices.Clone(by[path])) {
			if l.read++; l.read > maxListing {
				l.lacks(path)
				return
			}
			if u := l.lexed(user); u != nil {
				l.include(f, u, uses)
			}
		}
	}
}

// lacks takes note of a file that was not read as a whole.
func (l *listing) lacks(path string) { l.left = cmp.Or(l.left, path) }

// lexed reads a file as C; nil for one that is gone, or too large, of which it takes note.
func (l *listing) lexed(path string) *lexer.File {
	f := lexed(path)
	if _, err := os.Stat(path); f == nil && err == nil {
		l.lacks(path)
	}
	return f
}

// lexed reads a file as C; nil for one that is gone or too large.
func lexed(path string) *lexer.File {
	if info, err := os.Stat(path); err != nil || info.Size() > maxList {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return lexer.Parse(path, data).AsC()
}

// An invocation is the use of a macro in a list.
type invocation struct {
	name lexer.Token
	sure bool // it does not stand between #if and #endif
}

// invocations returns the uses of macros in a list, outside of all brackets.
func invocations(f *lexer.File) []invocation {
	var all []invocation
	depth := 0
	for t := f.First(); t.Kind() != 0; t = t.Next() {
		depth += opens(t)
		open := t.Next()
		if t.Kind() == lexer.Name && t.Outer().Kind() == 0 && open.Is("(") && open.Match().Kind() != 0 && !t.Statement().Is("#") && t.Prev().Kind() != lexer.Name {
			all = append(all, invocation{t, depth == 0})
		}
	}
	return all
}

// pure reports whether a file has nothing but uses of macros and directives.
func pure(f *lexer.File) bool {
	for t := f.First(); t.Kind() != 0; t = t.Next() {
		switch {
		case t.Statement().Is("#"), t.Is(",", ";"):
		case t.Kind() == lexer.Name && t.Next().Is("(") && t.Next().Match().Kind() != 0:
			t = t.Next().Match()
		default:
			return false
		}
	}
	return true
}

// opens returns 1 for the word of a directive that opens an #if, -1 for one that ends it.
func opens(t lexer.Token) int {
	switch {
	case !t.Prev().Is("#"):
		return 0
	case t.Is("if", "ifdef", "ifndef"):
		return 1
	case t.Is("endif"):
		return -1
	}
	return 0
}

// include expands the uses of macros in a list as a file has defined them where it includes the list.
func (l *listing) include(list, user *lexer.File, uses []invocation) {
	defined, depth := map[string]macro.Macro{}, 0
	if guard(user.Text(0, user.Offset(user.Lines()+1, 1))) {
		depth--
	}
	for t := user.First(); t.Kind() != 0; t = t.Next() {
		depth += opens(t)
		name := t.Next()
		switch {
		case !t.Prev().Is("#"):
		case t.Is("define"):
			if m, ok := macro.Defined(name); ok {
				defined[m.Name] = m
			}
		case t.Is("undef"):
			delete(defined, name.Text())
		case t.Is("include") && path.Base(strings.Trim(name.Text(), `"<>`)) == filepath.Base(list.Path):
			for _, use := range uses {
				l.expand(use, defined, depth <= 0)
			}
		}
	}
}

// expand notes which names the use of a macro makes. A macro that the file does not define just for the list is looked for in the
// project.
func (l *listing) expand(use invocation, defined map[string]macro.Macro, sure bool) {
	name := use.name.Text()
	meant := l.elsewhere(name)
	if m, known := defined[name]; known {
		meant = []macro.Macro{m}
	}
	for _, m := range meant {
		l.expandAs(m, use.name, defined, sure && use.sure && len(meant) == 1)
	}
}

func (l *listing) expandAs(m macro.Macro, use lexer.Token, defined map[string]macro.Macro, sure bool) {
	end := use.Next().Match()
	tokens := macro.Tokens(use, end)
	for i := range tokens {
		tokens[i].Mark = i > 0
	}
	made, whole := macro.Expand(tokens, func(name string) (macro.Macro, bool) {
		if name == m.Name {
			return m, true
		}
		if known, ok := defined[name]; ok {
			return known, true
		}
		all := l.elsewhere(name)
		if len(all) == 0 {
			return macro.Macro{}, false
		}
		return all[0], true
	})
	if !whole {
		l.lacks(use.File().Path)
	}
	for i, t := range made {
		if !letter(t.Text[0]) || declaresIn(made, i) {
			continue
		}
		given := false
		for at := use.Next(); t.Mark && at != end; at = at.Next() {
			if at.Is(t.Text) {
				given = true
				l.note(t.Text, at, sure)
			}
		}
		if !given {
			l.note(t.Text, use, sure)
		}
	}
}

// note adds a use of a name, once.
func (l *listing) note(name string, at lexer.Token, sure bool) {
	line, column := at.Position()
	use := listedUse{at.File().Path, text.Position{Line: line, Column: column}, sure}
	if !slices.Contains(l.uses[name], use) {
		l.uses[name] = append(l.uses[name], use)
	}
}

// elsewhere returns what files of the project define the macro of a name as, in the order of their paths.
func (l *listing) elsewhere(name string) []macro.Macro {
	all, known := l.macros[name]
	if known {
		return all
	}
	var paths []string
	for path, source := range l.sources {
		if len(source.macros[name]) > 0 {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	if len(paths) > maxMeant {
		l.lacks(paths[maxMeant])
	}
	for _, path := range paths[:min(len(paths), maxMeant)] {
		f := l.lexed(path)
		for _, at := range l.sources[path].macros[name] {
			if f == nil {
				break
			}
			if m, ok := macro.Defined(f.At(at.Line, at.Column)); ok {
				all = append(all, m)
			}
		}
	}
	l.macros[name] = all
	return all
}

// declaresIn reports whether the token at an index looks like the name of a function that is declared: behind a type.
func declaresIn(tokens []macro.Token, i int) bool {
	if i == 0 || i+1 == len(tokens) || tokens[i+1].Text != "(" {
		return false
	}
	before := tokens[i-1].Text
	return letter(before[0]) && !slices.Contains([]string{"return", "else", "do", "case", "throw", "goto", "co_return", "co_await"}, before)
}
