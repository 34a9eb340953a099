package proxy

import (
	"bytes"
	"encoding/json"
	"slices"

	"go.lsp.dev/uri"

	"tidepool/lsp/internal/text"
	"tidepool/lsp/internal/workspace"
)

// within returns a reply without what lies in another worktree than a tree: a server may know several. Only lists of places
// and of what has a place can hold such; all else stays byte for byte.
func (r reply) within(t *workspace.Tree) reply {
	if !bytes.HasPrefix(r.result, []byte("[")) || !t.Workspace.HasWorktrees() {
		return r
	}
	var elements []json.RawMessage
	if json.Unmarshal(r.result, &elements) != nil {
		return r
	}
	foreign := t.Foreign()
	own := slices.DeleteFunc(slices.Clone(elements), func(element json.RawMessage) bool {
		return slices.ContainsFunc(filesOf(element), foreign)
	})
	if len(own) == len(elements) {
		return r
	}
	return reply{result: append(append([]byte{'['}, bytes.Join(rawBytes(own), []byte(","))...), ']')}
}

func rawBytes(list []json.RawMessage) [][]byte {
	all := make([][]byte, len(list))
	for i, element := range list {
		all[i] = element
	}
	return all
}

// filesOf returns the files in which an element of a list lies: a location, a link, a symbol, an item of a hierarchy, or a
// call from or to one.
func filesOf(element []byte) []string {
	type place struct {
		URI uri.URI `json:"uri"`
	}
	var of struct {
		place
		Target   uri.URI `json:"targetUri"`
		Location place   `json:"location"`
		From     place   `json:"from"`
		To       place   `json:"to"`
	}
	if json.Unmarshal(element, &of) != nil {
		return nil
	}
	var paths []string
	for _, u := range []uri.URI{of.URI, of.Target, of.Location.URI, of.From.URI, of.To.URI} {
		if u != "" {
			paths = append(paths, text.Path(u))
		}
	}
	return paths
}
