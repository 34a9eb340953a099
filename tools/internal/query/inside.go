package query

import (
	"slices"
	"sync"

	"tidepool/internal/lexer"
	"tidepool/lsp"
)

// Inside names the function whose body a place stands in, with the types around it, where the text leaves no doubt, and
// "" elsewhere. The server's list says the same, and costs more: clangd 14 compiles a file that is not open, tsserver 6.0
// makes the tree of an edited one anew.
func (q *Query) Inside(at lsp.Location) string {
	known := q.Languages(lsp.LanguageOf(at.Path))
	if known.Inside == nil {
		return ""
	}
	name, ok := q.insides.recall(at)
	if ok {
		return name
	}
	if f, err := q.Lexed.Open(at.Path); err == nil && f.Balanced() {
		name = known.Inside(f.At(at.Range.Start.Line, at.Range.Start.Column), q.macro(lsp.LanguageOf(at.Path)))
	}
	q.insides.keep(at, name)
	return name
}

// macro returns what says of a name whether sources of a language define a macro of it.
func (q *Query) macro(language string) func(name string) bool {
	return func(name string) bool {
		return q.macros.is(language+" "+name, func() bool { return len(q.View.Macros(language, name)) > 0 })
	}
}

// macros are the names that were looked for among the macros of the sources. The zero value is ready, and shared by
// copies of a query.
type macros struct {
	mu    sync.Mutex
	known map[string]bool // by language and name
}

func (m *macros) is(key string, find func() bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	is, ok := m.known[key]
	if !ok {
		if m.known == nil {
			m.known = map[string]bool{}
		}
		is = find()
		m.known[key] = is
	}
	return is
}

// insides are what inside has found in one query, which may ask more than once about a place. A nil one keeps nothing.
type insides struct {
	mu   sync.Mutex
	kept map[Spot]string
}

func (i *insides) recall(at lsp.Location) (name string, ok bool) {
	if i == nil {
		return "", false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	name, ok = i.kept[SpotOf(at)]
	return name, ok
}

func (i *insides) keep(at lsp.Location, name string) {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.kept[SpotOf(at)] = name
}

// BracketsAround returns the opening brackets around a token, the outermost first.
func BracketsAround(t lexer.Token) []lexer.Token {
	var all []lexer.Token
	for outer := t.Outer(); outer.Kind() != 0; outer = outer.Outer() {
		all = append(all, outer)
	}
	slices.Reverse(all)
	return all
}
