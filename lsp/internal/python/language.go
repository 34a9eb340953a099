// Package python serves Python by pyright 1.1.414: which files pyright reads by its configuration, when it knows them, and by
// which dotted names they are imported. It declares a session.Language.
package python

import (
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// Language returns the entry for Python and pyright 1.1.
func Language() session.Language {
	markers := []string{"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "pyrightconfig.json"}
	modules := &modules{roots: append(markers, ".git"), known: map[string]string{}}
	return session.Language{
		ID:          "python",
		Name:        "Python",
		Command:     []string{"pyright-langserver", "--stdio"},
		Install:     "npm install -g --prefix ~/.local pyright@1.1.414",
		RootMarkers: markers,
		Extensions:  []string{".py", ".pyi"},
		Manifests:   []string{"pyproject.toml", "pyrightconfig.json"},
		Folders:     true,
		Markerless:  true,
		Linked:      true,
		LinkedOnce:  true,
		Settings:    settings(),
		Section:     "python",
		Configured:  configured,
		Environ:     environ,
		Depends:     func(root, on string) bool { return true },
		Probe:       probe,
		Changed: func(s *session.Session, what session.Update) error {
			modules.forget()
			return changed(s, what.Changes)
		},
		// Once pyright 1.1.414 has been told to stop one before it has begun, all that follow fail.
		Uncancellable: protocol.MethodTextDocumentReferences,
		Trivial:       trivial,
		Exact:         text.LastComponent, // pyright finds symbols by theirs alone
		Refine:        modules.refine,
		BinDirs:       binDirs,
		Drafting:      drafting(),
	}
}

// environ bounds pyright's heap by its share: 1.1.414 forgets the types that it has inferred when nine tenths of the heap are used.
func environ(s *session.Session) ([]string, error) {
	return s.Memory.Node(session.Getenv(s.Env, "NODE_OPTIONS"), s.Memory.Share), nil
}

func settings() map[string]any {
	return map[string]any{
		"analysis": map[string]any{
			"autoSearchPaths": true,          // modules below src/ are found
			"logLevel":        "Information", // less, and the end of a search for source files is not told
		},
	}
}

// trivial: pyright 1.1.414 warns that there is nothing at a root which it makes up for files in no folder.
func trivial(warning string) bool { return strings.Contains(warning, "<default workspace root>") }

// changed tells of changes on the disk. Pyright 1.1.414 looks for a configuration file only when its settings
// change: one that is new beside another, or that is gone, it does not notice.
func changed(s *session.Session, changes []disk.Change) error {
	if err := s.DidChange(changes); err != nil {
		return err
	}
	configured := func(c disk.Change) bool { return slices.Contains(s.Language.Manifests, filepath.Base(c.Path)) }
	if !slices.ContainsFunc(changes, configured) && !moved(s, changes) {
		return nil
	}
	return s.Notify(protocol.MethodWorkspaceDidChangeConfiguration, map[string]any{"settings": nil})
}

// refine takes what pyright calls the container, "Class.method" or a function for what stands in one, as the receiver,
// and tells kinds apart that pyright does not.
func (m *modules) refine(symbol *session.Symbol, line func() string) {
	symbol.Receiver, symbol.Package = symbol.Package, m.of(symbol.Location.Path)
	if strings.HasPrefix(symbol.Receiver, "(") { // "(file.py)", in call hierarchy
		symbol.Receiver = ""
	}
	if symbol.Kind != session.KindClass && symbol.Kind != session.KindVariable {
		return
	}
	text := line()
	at := min(max(symbol.Location.Range.Start.Column-1, 0), len(text))
	before, after := strings.TrimSpace(text[:at]), strings.TrimPrefix(text[at:], symbol.Name)
	switch {
	case symbol.Kind == session.KindClass:
		symbol.Kind = class(after)
	case symbol.Kind == session.KindVariable && before == "type":
		symbol.Kind = session.KindType
	case symbol.Kind == session.KindVariable && (strings.Contains(after, "TypeAlias") || makesType(after)):
		symbol.Kind = session.KindType
	case symbol.Kind == session.KindVariable && (strings.HasSuffix(before, ".") || before == "" && inClass(symbol.Receiver)):
		symbol.Kind = session.KindField
	}
}

// class tells from the bases, as written behind the name, what a class is.
func class(after string) session.Kind {
	list, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(after), "("), ")")
	for base := range strings.SplitSeq(list, ",") {
		base, _, _ = strings.Cut(strings.TrimSpace(base), "[")
		switch base[strings.LastIndexByte(base, '.')+1:] {
		case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag":
			return session.KindEnum
		case "Protocol":
			return session.KindInterface
		}
	}
	return session.KindClass
}

// makesType reports whether what is assigned, as in `= namedtuple("Pair", "a b")`, is a new type.
func makesType(after string) bool {
	value, ok := strings.CutPrefix(strings.TrimSpace(after), "=")
	callee, _, called := strings.Cut(strings.TrimSpace(value), "(")
	return ok && called && slices.Contains([]string{"namedtuple", "NamedTuple", "TypedDict", "NewType", "Enum", "IntEnum", "StrEnum"},
		callee[strings.LastIndexByte(callee, '.')+1:])
}

// inClass guesses from its name whether a container is a class: those of functions begin with a small letter.
func inClass(container string) bool {
	name := strings.TrimLeft(container[strings.LastIndexByte(container, '.')+1:], "_")
	return name != "" && strings.ToLower(name[:1]) != name[:1]
}

// binDirs returns where pip and npm put programs for one user.
func binDirs(lookup func(string) string) []string {
	home := lookup("HOME")
	if home == "" {
		return nil
	}
	return []string{filepath.Join(home, ".local", "bin"), filepath.Join(home, ".npm-global", "bin")}
}
