package python

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// Times of pyright's searches for source files.
const (
	patience = 5 * time.Second        // without the end of a search another one is caused; each time, the wait doubles
	tries    = 6                      // in all, for five minutes: on a busy machine a search takes longer than the first waits
	quiet    = 500 * time.Millisecond // a search that is due has begun within this time
)

// probe waits until pyright knows the source files that are on the disk now.
//
// Measured with pyright 1.1.414: it parses and binds files when a request needs them, so a request is answered in full
// as soon as the list of source files is. That list it makes behind a timer, 5 to 250 ms after the handshake and after
// each file that comes or goes; requests in the meantime are answered from the old list, an empty one at first. What
// changes within a file counts for the very next request. The end of each search is told by the log alone, "Found 3
// source files", which names no folder and no cause. So the first such line counts that follows a request which was
// sent after all changes; and since the search for them may have ended before that, another one is caused.
// On a busy machine even that search may have listed a directory before the last changes: fewer files than there are count only if
// another search finds no more, too.
// Where several folders are served, some may search twice before another one does: then the log must have come to rest.
func probe(ctx context.Context, s *session.Session) (session.Coverage, error) {
	ctx = session.AboutNoText(ctx)
	folders, sources := s.Folders(), s.Host.Sources()
	known := scopes(folders)
	touched, covered := touch(folders, known, sources)
	found, err := search(ctx, s, folders, touched)
	if err == nil && len(folders) == 1 && found < covered {
		found, err = search(ctx, s, folders, touched)
	}
	if err != nil {
		return session.Coverage{}, err
	}
	if len(folders) == 1 && found < covered {
		err = fmt.Errorf("pyright reads %d of %d Python files; see include and exclude in its configuration", found, covered)
	}
	s.Documents.LeaveClosed(known.reads)
	return session.Coverage{Outside: known.beside(s)}, err
}

// touch is to report one source file of each folder as new, which makes pyright search there. covered is how
// many files it should find in all.
func touch(folders []string, known scope, sources []string) (touched []disk.Change, covered int) {
	first := map[string]bool{}
	for _, path := range sources {
		if !known.covers(path) {
			continue
		}
		covered++
		if folder := known.folderOf(path); !first[folder] {
			first[folder] = true
			touched = append(touched, disk.Change{Path: path, Kind: disk.Created})
		}
	}
	return touched, covered
}

// search causes a search for source files in each folder that has some and waits for the ends of as many: it
// returns how many files they found.
func search(ctx context.Context, s *session.Session, folders []string, touched []disk.Change) (found int, err error) {
	for try := range tries {
		if err := fence(ctx, s, folders); err != nil || len(touched) == 0 {
			return 0, err
		}
		found, err = searchOnce(ctx, s, touched, patience<<try)
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return found, err
		}
	}
	return 0, errors.New("pyright does not say which source files it has found")
}

// fence returns when pyright has heard of all that was told before, and has read the configuration of each
// folder: until then it lists no symbols of that one. Of the requests that wait for this, hover is one that does not
// put a search off.
func fence(ctx context.Context, s *session.Session, folders []string) error {
	for _, folder := range folders {
		at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(folder)}}
		if _, err := session.Ask[any](ctx, s, protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: at}); err != nil {
			return err
		}
	}
	return nil
}

// searchOnce causes a search in each folder and waits for the ends of as many, for so long.
func searchOnce(ctx context.Context, s *session.Session, touched []disk.Change, patience time.Duration) (found int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ends := s.WatchLog(func(line string) bool {
		_, ok := count(line)
		return ok
	})
	defer ends.Close()
	if err := s.DidChange(touched); err != nil {
		return 0, err
	}
	for range touched {
		line, ok := ends.Next(ctx)
		if !ok {
			return 0, context.Cause(ctx)
		}
		n, _ := count(line)
		found += n
	}
	if len(touched) > 1 {
		found += rest(ctx, ends)
	}
	return found, nil
}

// rest adds up what further searches find until the log has come to rest.
func rest(ctx context.Context, ends *session.LogWatch) (found int) {
	for {
		calm, cancel := context.WithTimeout(ctx, quiet)
		line, ok := ends.Next(calm)
		cancel()
		if !ok {
			return found
		}
		n, _ := count(line)
		found += n
	}
}

// count reads "Found 3 source files" and "No source files found."
func count(line string) (int, bool) {
	if line == "No source files found." {
		return 0, true
	}
	rest, ok := strings.CutPrefix(line, "Found ")
	number, what, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	return n, ok && err == nil && strings.HasPrefix(what, "source file")
}
