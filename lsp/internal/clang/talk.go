package clang

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"

	"tidepool/lsp/internal/session"
)

// mark makes a request that no server knows. It is refused at once, in the order of the stream, and stands in the log.
func mark(ctx context.Context, s *session.Session, name string) error {
	_, err := session.Ask[json.RawMessage](ctx, s, name, nil)
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}

// idle waits until a server has nothing to index. A change of compile commands begins a task before anything else
// is answered, so that after an answer to what came later no task means that all is done.
func idle(ctx context.Context, s *session.Session) error {
	if err := mark(ctx, s, "tidepool/mark"); err != nil {
		return err
	}
	return s.Progress.AwaitTasks(ctx, func(running map[string]session.Task, _ map[string]int) bool {
		for _, t := range running {
			if t.Title == "indexing" {
				return false
			}
		}
		return true
	})
}

// How much later than its answer to a request the server's log may tell of it. clangd writes the log first, so that only we can be slow.
const (
	logLag    = 20 * time.Second
	silentLag = time.Second // of a server that was silent before
)

// errSilent is why it is not known what does not compile.
var errSilent = errors.New("it does not log to standard error, which alone tells what does not compile: " +
	"let its command leave standard error as it is, and the level --log=info")

// failures does something between two marks, and returns the files that did not compile without errors meanwhile, as the log says.
// The error is errSilent if it says nothing.
func failures(ctx context.Context, s *session.Session, begin, end string, lag time.Duration, do func() error) ([]string, error) {
	log := s.WatchLog(func(line string) bool {
		return strings.Contains(line, failed) || marks(line, begin) || marks(line, end)
	})
	defer log.Close()
	if err := mark(ctx, s, begin); err != nil {
		return nil, err
	}
	if err := do(); err != nil {
		return nil, err
	}
	if err := mark(ctx, s, end); err != nil {
		return nil, err
	}
	soon, cancel := context.WithTimeoutCause(ctx, lag, errSilent)
	defer cancel()
	return between(soon, log, begin, end)
}

// failed is what the log says of a file that does not compile, before its path.
const failed = "Failed to compile "

// marks reports whether a line of the log tells of a request that was a mark.
func marks(line, name string) bool { return strings.Contains(line, "<-- "+name+"(") }

// between reads the log from one mark to another.
func between(ctx context.Context, log *session.LogWatch, begin, end string) (paths []string, err error) {
	for begun := false; ; {
		line, ok := log.Next(ctx)
		switch _, rest, is := strings.Cut(line, failed); {
		case !ok:
			return nil, context.Cause(ctx)
		case is && begun:
			path, _, _ := strings.Cut(rest, ", index may be incomplete")
			paths = append(paths, path)
		case marks(line, end):
			return paths, nil
		case marks(line, begin):
			begun = true
		}
	}
}
