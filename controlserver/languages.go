package main

import (
	"maps"

	"tidepool/internal/config"
	"tidepool/lsp"
)

// languages applies the project's changes to the table of language servers. Settings are added to the table's;
// where both name one the table's stays, because the tools rely on it.
func languages(table []lsp.Language, changes map[string]config.Language) []lsp.Language {
	served := make([]lsp.Language, 0, len(table))
	for _, l := range table {
		change := changes[l.ID]
		if change.Disabled {
			continue
		}
		if change.Command != nil {
			l.Command = change.Command
		}
		if change.Settings != nil {
			settings := maps.Clone(change.Settings)
			maps.Copy(settings, l.Settings)
			l.Settings = settings
		}
		served = append(served, l)
	}
	return served
}
