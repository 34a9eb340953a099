package clang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
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

// indexing is the title of the server's tasks for its index.
const indexing = "indexing"

// idle waits until a server has nothing to index. A change of compile commands begins a task before anything else
// is answered, so that after an answer to what came later no task means that all is done.
func idle(ctx context.Context, s *session.Session) error {
	if err := mark(ctx, s, "tidepool/mark"); err != nil {
		return err
	}
	return s.Progress.AwaitTasks(ctx, func(running map[string]session.Task, _ map[string]int) bool {
		for _, t := range running {
			if t.Title == indexing {
				return false
			}
		}
		return true
	})
}

// settle waits until the server answers from all that it has indexed. Whoever calls it has waited until the server is idle.
//
// clangd 14.0.6 builds anew what it answers from, 0.3 s for a large project, when the last worker that is busy has nothing left to do. It
// counts as busy until that is built, and no other build follows what another worker indexes meanwhile: the server is idle then, and its
// answers lack that until something else is indexed. Its reports count tasks from the last time that it began to build. So one that
// begins at 0 tells that nothing was indexed since. Tasks for a file that is not there take milliseconds each, and the first of them that
// finds no other worker busy has it built.
func (r rereading) settle(ctx context.Context) error {
	missing := filepath.Join(r.store.sources(), missingName+"settle.c")
	for wait := time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		r.round++
		r.session.Progress.LookForReport(indexing)
		other := fmt.Sprintf("-Dtidepool_round=%d", r.round) // than the last command, or else there is no task
		command := compileCommand{Dir: r.root, Args: []string{"clang", other, missing}}
		if err := r.configure(r.session, map[string]compileCommand{missing: command}); err != nil {
			return err
		}
		if err := idle(ctx, r.session); err != nil {
			return err
		}
		done, err := tasksDone(r.session.Progress.FirstReport())
		if err != nil {
			return err
		}
		if done == 0 {
			return nil
		}
		if err := outlast(ctx, wait); err != nil {
			return err
		}
	}
}

// tasksDone reads the report "1/2" on a task of the index.
func tasksDone(report string) (done int, err error) {
	var of int
	if _, err := fmt.Sscanf(report, "%d/%d", &done, &of); err != nil {
		return 0, fmt.Errorf("clangd reports %q of its index and not how far it is, so that its answers may lack what it has read: use clangd 14 to 19", report)
	}
	return done, nil
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
