package typescript

import (
	"context"
	"encoding/json"
	"strings"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// names finds the identifiers of declarations, of which navto tells the whole span, and what they are declared in.
type names struct {
	session *session.Session
	seen    text.Files
	trees   map[string][]session.Outlined // by path
	parts   map[protocol.Location]bool    // starts of declarations that are part of one that is listed
}

// symbol is item with the range of its identifier, and with a container like "web/src/user#Outer.Inner".
func (n names) symbol(ctx context.Context, item navItem) (protocol.SymbolInformation, error) {
	at := item.span()
	receiver := item.ContainerName
	name, ok := n.plainly(item)
	if !ok || n.nested(item) {
		tree, err := n.tree(ctx, item.File)
		if err != nil {
			return protocol.SymbolInformation{}, err
		}
		if found, outer, in := find(tree, item.Name, at.Start, ""); in {
			name, receiver, ok = found, outer, true
		}
	}
	if !ok {
		name = n.first(item)
	}
	container := strings.TrimSuffix(n.session.Host.Relative(item.File), extension(item.File)) + "#" + receiver
	return protocol.SymbolInformation{
		BaseSymbolInformation: protocol.BaseSymbolInformation{
			Name: item.Name, Kind: kind(item.Kind), ContainerName: &container,
		},
		Location: protocol.Location{URI: text.URI(item.File), Range: name},
	}, nil
}

// nested reports whether a declaration stands deeper than navto tells, which names the class or namespace around it alone
// and says nothing of objects and object types.
func (n names) nested(item navItem) bool {
	switch item.Kind {
	case "method", "property", "getter", "setter":
		if item.ContainerName == "" {
			return true
		}
	}
	return item.ContainerName != "" && strings.Contains(n.seen.Of(item.File).Content, "namespace ")
}

// first returns where the first line of a declaration has the name: `exports.f = function`.
func (n names) first(item navItem) protocol.Range {
	at := item.Start.wire()
	for _, place := range text.WordsIn(text.New(n.seen.Of(item.File).Line(int(at.Line))), item.Name) {
		if place.Character >= at.Character {
			end := place.Character + uint32(text.UnitsBefore(item.Name, len(item.Name)))
			return protocol.Range{Start: protocol.Position{Line: at.Line, Character: place.Character}, End: protocol.Position{Line: at.Line, Character: end}}
		}
	}
	return item.span()
}

func (i navItem) span() protocol.Range {
	return protocol.Range{Start: i.Start.wire(), End: i.End.wire()}
}

func (l location) wire() protocol.Position {
	return protocol.Position{Line: l.Line - 1, Character: l.Offset - 1}
}

// modifiers may stand before the name of a declaration.
const modifiers = " export default declare abstract async function class const let var interface type enum namespace module" +
	" public private protected static readonly override get set accessor "

// plainly finds the identifier where nothing but modifiers stands before it on the first line of the declaration.
func (n names) plainly(item navItem) (protocol.Range, bool) {
	if strings.Contains(modifiers, " "+item.Name+" ") {
		return protocol.Range{}, false
	}
	in := n.seen.Of(item.File)
	line := in.Line(int(item.Start.Line) - 1)
	from := text.BytesBefore(line, int(item.Start.Offset)-1)
	rest := line[from:]
	for {
		word := strings.TrimLeft(rest, " \t*")
		from += len(rest) - len(word)
		end := strings.IndexFunc(word, func(r rune) bool { return !text.IsWord(r) && r != '$' && r != '#' })
		if end < 0 {
			end = len(word)
		}
		if word[:end] == item.Name {
			start := text.UnitsBefore(line, from)
			at := protocol.Position{Line: item.Start.Line - 1, Character: uint32(start)}
			behind := protocol.Position{Line: at.Line, Character: uint32(start + text.UnitsBefore(item.Name, len(item.Name)))}
			return protocol.Range{Start: at, End: behind}, true
		}
		if end == 0 || !strings.Contains(modifiers, " "+word[:end]+" ") {
			return protocol.Range{}, false
		}
		from, rest = from+end, word[end:]
	}
}

// tree returns what a file declares.
func (n names) tree(ctx context.Context, path string) ([]session.Outlined, error) {
	if known, ok := n.trees[path]; ok {
		return known, nil
	}
	if err := n.session.Open(path); err != nil {
		return nil, nil // it has gone since; its place is good enough
	}
	params := &protocol.DocumentSymbolParams{TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(path)}}
	result, err := session.Ask[json.RawMessage](ctx, n.session, protocol.MethodTextDocumentDocumentSymbol, params)
	if err != nil {
		return nil, err
	}
	tree, err := session.ReadTree(result)
	n.trees[path] = tree
	return tree, err
}

// find finds the declaration of name that starts at a place: the range of its identifier and what it stands in.
func find(tree []session.Outlined, name string, start protocol.Position, outer string) (protocol.Range, string, bool) {
	for _, d := range tree {
		if d.Name == name && (d.Range.Start == start || d.SelectionRange.Start == start) {
			return d.SelectionRange, outer, true
		}
		if at, in, ok := find(d.Children, name, start, strings.TrimPrefix(outer+"."+d.Name, ".")); ok {
			return at, in, true
		}
	}
	return protocol.Range{}, "", false
}
