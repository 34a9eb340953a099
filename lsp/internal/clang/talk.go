package clang

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

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

// failures reads the log from one mark to another: which files did not compile without errors.
func failures(ctx context.Context, s *session.Session, begin, end string) ([]string, error) {
	var failed []string
	begun := false
	err := s.AwaitLog(ctx, func(line string) bool {
		begun = begun || strings.Contains(line, "<-- "+begin+"(")
		if _, rest, ok := strings.Cut(line, "Failed to compile "); ok && begun {
			path, _, _ := strings.Cut(rest, ", index may be incomplete")
			failed = append(failed, path)
		}
		return strings.Contains(line, "<-- "+end+"(")
	})
	return failed, err
}
