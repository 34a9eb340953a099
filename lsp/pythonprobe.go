package lsp

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.lsp.dev/protocol"
)

// Times of pyright's searches for source files.
const (
	pyrightPatience = 3 * time.Second        // without a search after a change one is caused by a costlier way
	pyrightQuiet    = 500 * time.Millisecond // a search that is due has begun within this time
)

// pythonProbe waits until pyright knows the source files that are on the disk now.
//
// Measured with pyright 1.1.414: it parses and binds files when a request needs them, so a request is answered in full
// as soon as the list of source files is. That list it makes behind a timer, 5 to 250 ms after the handshake and after
// each file that comes or goes; requests in the meantime are answered from the old list, an empty one at first. What
// changes within a file counts for the very next request. The end of each search is told by the log alone, "Found 3
// source files", which names no folder and no cause. So the first such line counts that follows a request which was
// sent after all changes; and since the search for them may have ended before that, another one is caused.
// Where several folders are served, some may search twice before another one does: then the log must have come to rest.
func pythonProbe(ctx context.Context, s *session) (coverage, error) {
	folders, sources := s.folders(), s.sources()
	for _, folder := range folders {
		// Any request about a place below the folder waits for its configuration, and this one does not delay the timer.
		if _, err := ask[any](ctx, s, protocol.MethodTextDocumentHover, hoverAt(folder)); err != nil {
			return coverage{}, err
		}
	}
	known := pythonScopes(folders)
	_, heard, _ := s.sayings.after(0)
	found, err := pyrightSearch(ctx, s, heard, pyrightTouch(s, folders, known, sources), len(folders))
	if err != nil {
		return coverage{}, err
	}
	covered := 0
	for _, path := range sources {
		if known.covers(path) {
			covered++
		}
	}
	if len(folders) == 1 && found < covered {
		err = fmt.Errorf("pyright reads %d of %d Python files; see include and exclude in its configuration", found, covered)
	}
	s.documents.leave(known.reads)
	return coverage{outside: known.outside}, err
}

func hoverAt(path string) *protocol.HoverParams {
	return &protocol.HoverParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: wireURI(path)},
	}}
}

// pyrightTouch reports one source file of each folder as new, which makes pyright search; nil if a folder has none.
func pyrightTouch(s *session, folders []string, known pythonScope, sources []string) []change {
	var touched []change
	for _, folder := range folders {
		for _, path := range sources {
			if known.folderOf(path) == folder && known.covers(path) {
				touched = append(touched, change{path, protocol.FileChangeTypeCreated})
				break
			}
		}
	}
	if len(touched) < len(folders) {
		return nil
	}
	return touched
}

// pyrightSearch causes a search for source files in each folder and waits for the ends of as many: it returns how
// many files they found.
func pyrightSearch(ctx context.Context, s *session, heard int, touched []change, folders int) (int, error) {
	if touched != nil {
		if err := s.tell(protocol.MethodWorkspaceDidChangeWatchedFiles, watched(touched)); err != nil {
			return 0, err
		}
		hasty, cancel := context.WithTimeout(ctx, pyrightPatience)
		defer cancel()
		if found, err := pyrightFound(hasty, s, heard, folders); err == nil || ctx.Err() != nil {
			return found, err
		}
	}
	if err := pyrightReload(s); err != nil {
		return 0, err
	}
	return pyrightFound(ctx, s, heard, folders)
}

// pyrightFound waits for the ends of searches in the log, from line number heard on, and adds up what they found.
func pyrightFound(ctx context.Context, s *session, heard, searches int) (int, error) {
	found, ended := 0, 0
	var rest <-chan time.Time
	for {
		lines, next, more := s.sayings.after(heard)
		for _, line := range lines {
			if n, ok := pyrightCount(line); ok {
				found, ended, rest = found+n, ended+1, time.After(pyrightQuiet)
			}
		}
		if ended > 0 && searches == 1 {
			return found, nil
		}
		heard = next
		if ended < searches {
			rest = nil
		}
		select {
		case <-more:
		case <-rest:
			return found, nil
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// pyrightCount reads "Found 3 source files" and "No source files found."
func pyrightCount(line string) (int, bool) {
	if line == "No source files found." {
		return 0, true
	}
	rest, ok := strings.CutPrefix(line, "Found ")
	number, what, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	return n, ok && err == nil && strings.HasPrefix(what, "source file")
}
