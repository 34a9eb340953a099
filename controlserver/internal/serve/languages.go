package serve

import (
	"maps"
	"slices"

	"tidepool/internal/config"
	"tidepool/internal/server"
	"tidepool/lsp"
	"tidepool/protocol"
)

// Languages applies the project's changes to the table of language servers. Settings are added to the table's.
func Languages(table []lsp.Language, changes map[string]config.Language) []lsp.Language {
	served := make([]lsp.Language, 0, len(table))
	for _, l := range table {
		change := changes[l.ID]
		if change.Disabled {
			continue
		}
		if change.Command != nil {
			if change.Command[0] != l.Command[0] {
				l.Install = "" // it installs another program
			}
			l.Command = change.Command
		}
		if change.Settings != nil {
			l.Settings = joined(l.Settings, change.Settings)
		}
		served = append(served, l)
	}
	return served
}

// joined returns the settings of the table and those that a project adds. Where both name one, lists are put together and
// objects joined; of others the table's stays, because the tools rely on it.
func joined(table, added map[string]any) map[string]any {
	all := maps.Clone(added)
	for name, ours := range table {
		switch theirs := added[name].(type) {
		case map[string]any:
			if object, ok := ours.(map[string]any); ok {
				ours = joined(object, theirs)
			}
		case []any:
			if list, ok := ours.([]any); ok {
				ours = slices.Concat(list, theirs)
			}
		}
		all[name] = ours
	}
	return all
}

// languageServers connects clients of the socket to the project's language servers.
type languageServers struct{ project *lsp.Project }

// Attach finds the server of a language.
func (s languageServers) Attach(r *protocol.LSPAttach) (server.LanguageServer, error) {
	proxy, err := s.project.Proxy(lsp.ProxyOptions{Language: r.Language, Dir: r.Cwd})
	if err != nil {
		return nil, err // not the nil *lsp.Proxy, which would be a server
	}
	return proxy, nil
}
