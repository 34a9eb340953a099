// Package golang serves Go by gopls v0.23: what gopls loads of a directory tree, when it must list packages anew, and how
// changes are tried out for several platforms. It declares a session.Language.
package golang

import (
	"context"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// Language returns the entry for Go and gopls v0.23.
func Language() session.Language {
	return session.Language{
		ID:              "go",
		Name:            "Go",
		Command:         []string{"gopls"},
		Install:         "go install golang.org/x/tools/gopls@v0.23.0",
		RootMarkers:     []string{"go.work", "go.mod"},
		Extensions:      []string{".go"},
		Manifests:       []string{"go.mod", "go.sum", "go.work", "go.work.sum", disk.VendorList},
		Nested:          nested,
		Depends:         depends,
		Annexes:         annexes,
		LoadsIgnored:    true,
		Environ:         environ,
		Folders:         true,
		Settings:        settings(),
		Section:         "gopls",
		LoadTitle:       "Setting up workspace",
		LoadEnd:         "Finished loading packages.",
		CheckTitle:      "diagnosing ",
		SymbolLimit:     100,
		Exact:           exact,
		Refine:          refine,
		Outside:         outside,
		Changed:         changed,
		Collect:         collect,
		Notified:        hear,
		AnswersUnopened: true,
		Unit:            unit,
		BinDirs:         binDirs,
		Drafting:        drafting(),
	}
}

// unit is the package of a file: gopls keeps one checked while a file of it is open. Tests are one of their own.
func unit(path string) string {
	if strings.HasSuffix(path, "_test.go") {
		return filepath.Dir(path) + " test"
	}
	return filepath.Dir(path)
}

// environ tells gopls its share of the memory.
func environ(s *session.Session) ([]string, error) {
	return s.Memory.Go(session.Getenv(s.Env, "GOMEMLIMIT")), nil
}

// collect has gopls collect its garbage, which its command for figures about memory does first. The runtime gives the pages back within
// some ten seconds: of 873 MB 550 were left after it had loaded chi v5.5.0.
func collect(ctx context.Context, s *session.Session) error {
	_, err := session.Ask[any](session.AboutNoText(ctx), s, protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: "gopls.mem_stats"})
	return err
}

func settings() map[string]any {
	return map[string]any{
		// A name is always "import/path.Type.Member", so that it can be split without guessing.
		"symbolStyle":   "Full",
		"symbolMatcher": "FastFuzzy", // the only matchers with the query syntax of exact
		"symbolScope":   "workspace", // names of the standard library would fill the 100 places
		// Announces when diagnostics begin and have all been published: the measure of completeness.
		"verboseWorkDoneProgress": true,
		"diagnosticsDelay":        "0s",
		"workspaceFiles":          []any{"**/" + reload},
	}
}

// exact asks for the symbols whose full name ends in name. In the syntax of gopls "x$" matches a suffix,
// in any case if x is all lower case; a fuzzy match would crowd exact ones out of the 100 places.
func exact(name string) string {
	if !strings.Contains(name, ".") {
		name = "." + name
	}
	return name + "$"
}

// refine splits "import/path.Type.Member" by its package and corrects kinds. Call hierarchy gives the bare name,
// calls every callable a function, and writes the container as "import/path • file.go".
func refine(symbol *session.Symbol, line func() string) {
	symbol.Package, _, _ = strings.Cut(symbol.Package, " • ")
	name := strings.TrimPrefix(symbol.Name, symbol.Package+".")
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		symbol.Receiver, name = name[:dot], name[dot+1:]
	}
	symbol.Name = name
	switch {
	case symbol.Kind == session.KindClass:
		symbol.Kind = session.KindType
	case symbol.Kind == session.KindFunction:
		if declaration := strings.TrimSpace(line()); declaration != "" {
			symbol.Kind, symbol.Receiver = callable(symbol, declaration)
		}
	}
}

// callable tells from the declaration what a "function" is: gopls says so of `type F func()` as well.
func callable(symbol *session.Symbol, declaration string) (kind session.Kind, receiver string) {
	_, rest, _ := strings.Cut(declaration, symbol.Name)
	switch {
	case strings.HasPrefix(declaration, "func ("):
		return session.KindMethod, receiverIn(declaration)
	case strings.HasPrefix(declaration, "func ") || symbol.Name == "func": // a literal is called "func"
		return session.KindFunction, ""
	case strings.HasPrefix(rest, "("):
		return session.KindMethod, "" // of an interface
	}
	return session.KindType, ""
}

// receiverIn returns the type's name in "func (r *Type[T]) Method(…".
func receiverIn(declaration string) string {
	list, _, _ := strings.Cut(strings.TrimPrefix(declaration, "func ("), ")")
	list, _, _ = strings.Cut(list, "[")
	fields := strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == '*' })
	if len(fields) == 0 {
		return ""
	}
	return fields[len(fields)-1]
}

// binDirs returns where `go install` puts programs.
func binDirs(environ func(string) string) []string {
	lookup := withGoEnv(environ)
	if bin := lookup("GOBIN"); bin != "" {
		return []string{bin}
	}
	var dirs []string
	for _, path := range filepath.SplitList(lookup("GOPATH")) {
		dirs = append(dirs, filepath.Join(path, "bin"))
	}
	if home := environ("HOME"); len(dirs) == 0 && home != "" {
		dirs = append(dirs, filepath.Join(home, "go", "bin"))
	}
	return dirs
}
