package lsp

import (
	"os"
	"slices"

	"tidepool/lsp/internal/disk"
)

// Used returns those of the languages that a project in the directory root is written in, as a Project would find it.
func Used(root string, languages []Language) []Language {
	p := &Project{languages: languages}
	t := newTree(p, root)
	defer t.close()
	t.disk.Walk(nil)
	contents := t.look()
	return slices.DeleteFunc(slices.Clone(languages), func(l Language) bool { return len(contents[l.ID].roots) == 0 })
}

// vanished reports whether there is no such file any more.
func vanished(path string) bool {
	_, err := os.Stat(path)
	return err != nil
}

// followed selects the files that the servers of these languages hear of, and their root markers. One of them at most may
// have Annexes.
func followed(languages []Language) disk.Selection {
	var selected disk.Selection
	for _, l := range languages {
		selected.Suffixes = append(selected.Suffixes, l.Extensions...)
		selected.Names = slices.Concat(selected.Names, l.Manifests, l.RootMarkers)
		if l.LoadsIgnored {
			selected.Built = append(selected.Built, l.Extensions...)
		}
		if l.Annexes != nil {
			selected.Beyond, selected.Manifests = l.Annexes, l.RootMarkers
		}
	}
	return selected
}
