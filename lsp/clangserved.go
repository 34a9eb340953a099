package lsp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"go.lsp.dev/uri"
)

// served are the changed files that need not be read for the index of files: units that nobody includes, that include
// what they did, and that are open. What the server finds in such a document comes before the index of the file, also
// when it is closed again. It has looked into the text when it publishes its diagnostics; documentSymbol alone may be
// answered from an earlier preamble. There is no record of these files, so that the next session reads them.
//
// One with errors is read by the index as well, which says whether it lacks something for them.
func (x *clangIndex) served(ctx context.Context, s *session, before clangPlan, others []string) ([]string, error) {
	if before.commands == nil || before.config != x.plan.config {
		return nil, nil
	}
	var served []string
	for _, path := range others {
		if then, was := before.sources[path]; !was || !slices.Equal(then.includes, x.sources[path].includes) {
			continue
		}
		if !isClangUnit(path) || x.failed[path] != "" || len(x.plan.includes.users([]string{path})) > 1 {
			continue
		}
		version, ok := s.holdsText(path, x.sources[path].sum)
		if !ok || !x.plan.commands[path].equal(x.sent[path]) {
			continue
		}
		looked, err := x.lookedInto(ctx, s, path, version)
		if err != nil {
			return nil, err
		}
		if looked && s.progress.firstError(path) == "" {
			served = append(served, path)
		}
	}
	return served, x.strike(served)
}

// strike leaves no record of what files are like.
func (x *clangIndex) strike(paths []string) error {
	struck := false
	for _, path := range paths {
		struck = struck || x.records[path] != ""
		x.records[path] = ""
	}
	if !struck {
		return nil
	}
	return x.store.record(x.records)
}

// publishing bounds the wait for diagnostics, which do not come of a document that is closed meanwhile.
const publishing = 2 * time.Second

// lookedInto waits until the server has published what it finds in a version of a document, and says whether it has.
func (x *clangIndex) lookedInto(ctx context.Context, s *session, path string, version int32) (bool, error) {
	if err := s.looked(ctx, path); err != nil { // or else clangd waits for more changes
		return false, err
	}
	late := time.NewTimer(publishing)
	defer late.Stop()
	for {
		x.mu.Lock()
		published, changed := x.published[path], x.publishes
		x.mu.Unlock()
		if published == version {
			return true, nil
		}
		select {
		case <-changed:
		case <-late.C:
			return false, nil
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// hearPublished takes note of the version of a document that diagnostics are of.
func (x *clangIndex) hearPublished(params []byte) {
	var message struct {
		URI     uri.URI `json:"uri"`
		Version int32   `json:"version"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.published[pathOf(message.URI)] = message.Version
	close(x.publishes)
	x.publishes = make(chan struct{})
}

// holdsText says whether a document is open with the text of the disk, which has this sum, and in which version.
func (s *session) holdsText(path string, sum uint64) (version int32, ok bool) {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	element, ok := s.documents.byPath[path]
	if !ok {
		return 0, false
	}
	held := element.Value.(*document)
	return held.version, !held.stray && clangSum(held.text) == sum
}

// without returns the files but for some.
func without(files, some []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(path string) bool { return slices.Contains(some, path) })
}
