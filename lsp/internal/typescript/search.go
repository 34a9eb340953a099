package typescript

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// symbolLimit bounds the symbols of one project that a search returns; exact matches come first.
const symbolLimit = 2000

// similar bounds the symbols that are only similar to a name: they serve to suggest another one.
const similar = 100

// navItem is what navto says of a declaration. Its span is that of the whole declaration.
type navItem struct {
	Name          string   `json:"name"`
	Kind          string   `json:"kind"`
	MatchKind     string   `json:"matchKind"`
	File          string   `json:"file"`
	Start         location `json:"start"`
	End           location `json:"end"`
	ContainerName string   `json:"containerName"`
	ContainerKind string   `json:"containerKind"`
}

type location struct {
	Line   uint32 `json:"line"`
	Offset uint32 `json:"offset"`
}

// search asks tsserver itself: workspace/symbol looks only into the project of the document that was opened
// last, fails if there is none, and leaves out containers.
func search(ctx context.Context, s *session.Session, query string) ([]protocol.SymbolInformation, error) {
	items, err := tsserver[[]navItem](ctx, s, "navto", map[string]any{"searchValue": query, "maxResultCount": symbolLimit})
	if err != nil {
		return nil, err
	}
	described, err := described(ctx, s, query, items)
	if err != nil {
		return nil, err
	}
	items = append(items, described...)
	names := names{
		session: s, seen: text.NewFiles(s.NonASCII), trees: map[string][]session.Outlined{}, parts: map[protocol.Location]bool{},
	}
	var found, imported []protocol.SymbolInformation
	items = nearest(items, query)
	for _, item := range items {
		info, err := names.symbol(ctx, item)
		if err != nil {
			return nil, err
		}
		if names.parts[start(info.Location)] {
			continue
		}
		elsewhere, err := names.related(ctx, items, item, info.Location)
		switch {
		case err != nil:
			return nil, err
		case elsewhere:
			imported = append(imported, info)
		default:
			found = append(found, info)
		}
	}
	if len(found) == 0 {
		return imported, nil
	}
	return found, nil
}

// described lists what those declaration files declare of a name of which nothing is among items: of a project that is
// otherwise JavaScript alone tsserver 6.0 leaves them out, unless it is asked about one file.
func described(ctx context.Context, s *session.Session, name string, items []navItem) ([]navItem, error) {
	var all []navItem
	for _, path := range describing(s, name) {
		if slices.ContainsFunc(items, func(i navItem) bool { return i.File == path }) || s.Open(path) != nil {
			continue
		}
		arguments := map[string]any{"searchValue": name, "file": path, "currentFileOnly": true, "maxResultCount": symbolLimit}
		found, err := tsserver[[]navItem](ctx, s, "navto", arguments)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// describing returns the declaration files that seem to declare a name.
func describing(s *session.Session, name string) []string {
	declares := regexp.MustCompile(`\b(class|interface|type|enum|function|const|let|var|namespace|module)\s+` + regexp.QuoteMeta(name) + `\b` +
		`|\b` + regexp.QuoteMeta(name) + `\s*[(<:?]`)
	seen := text.NewFiles(s.NonASCII)
	var all []string
	for _, of := range s.Host.Words("") {
		files := slices.DeleteFunc(slices.Clone(of.Files), func(path string) bool { return !describes(path) })
		all = append(all, of.Index.Mentioning(name, files)...)
	}
	return slices.DeleteFunc(all, func(path string) bool { return !declares.MatchString(seen.Of(path).Content) })
}

// describes reports whether a file holds nothing but declarations.
func describes(path string) bool {
	base := filepath.Base(path)
	return strings.HasSuffix(base, ".d.ts") || strings.HasSuffix(base, ".d.mts") || strings.HasSuffix(base, ".d.cts")
}

// nearest leaves those items of exactly that name, however many others were cut, or else the most similar ones.
func nearest(items []navItem, name string) []navItem {
	exact := func(i navItem) bool { return i.MatchKind == "exact" && i.Name == name }
	if slices.ContainsFunc(items, exact) {
		return slices.DeleteFunc(items, func(i navItem) bool { return !exact(i) })
	}
	return items[:min(len(items), similar)]
}

// related finds out what a declaration has to do with others of its name: it notes those that are part of it, and says
// whether it only names what is declared elsewhere.
func (n names) related(ctx context.Context, items []navItem, item navItem, at protocol.Location) (elsewhere bool, err error) {
	if merges(items, item) {
		if err := n.merge(ctx, item.File, at); err != nil {
			return false, err
		}
	}
	return n.elsewhere(ctx, item, at)
}

// merges reports whether there is another declaration that may be part of the same one: of an interface, an enum, or the
// setter of a getter.
func merges(items []navItem, item navItem) bool {
	return slices.ContainsFunc(items, func(other navItem) bool {
		return other != item && other.Name == item.Name && other.File == item.File && other.ContainerName == item.ContainerName
	})
}

// merge notes the other declarations of what is declared at a place.
func (n names) merge(ctx context.Context, path string, at protocol.Location) error {
	if err := n.session.Open(path); err != nil {
		return nil // gone
	}
	all, err := definitions(ctx, n.session, placeOf(at))
	for _, part := range all {
		if start(part) != start(at) {
			n.parts[start(part)] = true
		}
	}
	return err
}

// elsewhere reports whether a declaration only gives a name to what another one declares: an import or export under
// another name, `const { f } = require("./m")`, `exports.f = f`.
func (n names) elsewhere(ctx context.Context, item navItem, at protocol.Location) (bool, error) {
	if item.Kind == "alias" {
		return true, nil
	}
	variable := item.Kind == "const" || item.Kind == "let" || item.Kind == "var"
	content := n.seen.Of(item.File).Content
	if !variable || !plain(item.File) || !strings.Contains(content, "require(") && !strings.Contains(content, "exports") {
		return false, nil
	}
	if err := n.session.Open(item.File); err != nil {
		return false, nil // gone
	}
	defined, err := definitions(ctx, n.session, placeOf(at))
	return len(defined) > 0 && !starts(defined)[start(at)], err
}

// plain reports whether a file is JavaScript.
func plain(path string) bool { return strings.Contains(filepath.Ext(path), "js") }

func kind(kind string) protocol.SymbolKind {
	kinds := map[string]protocol.SymbolKind{
		"module": protocol.SymbolKindNamespace, "class": protocol.SymbolKindClass, "local class": protocol.SymbolKindClass,
		"enum": protocol.SymbolKindEnum, "enum member": protocol.SymbolKindEnumMember, "interface": protocol.SymbolKindInterface,
		"type": protocol.SymbolKindTypeParameter, "method": protocol.SymbolKindMethod, "property": protocol.SymbolKindProperty,
		"getter": protocol.SymbolKindProperty, "setter": protocol.SymbolKindProperty, "accessor": protocol.SymbolKindProperty,
		"function": protocol.SymbolKindFunction, "local function": protocol.SymbolKindFunction,
		"constructor": protocol.SymbolKindConstructor, "construct": protocol.SymbolKindConstructor,
	}
	if known, ok := kinds[kind]; ok {
		return known
	}
	return protocol.SymbolKindVariable
}
