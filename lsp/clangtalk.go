package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/text"
)

// mark makes a request that no server knows. It is refused at once, in the order of the stream, and stands in the log.
func mark(ctx context.Context, s *session, name string) error {
	_, err := ask[json.RawMessage](ctx, s, name, nil)
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}

// clangIdle waits until a server has nothing to index. A change of compile commands begins a task before anything else
// is answered, so that after an answer to what came later no task means that all is done.
func clangIdle(ctx context.Context, s *session) error {
	if err := mark(ctx, s, "tidepool/mark"); err != nil {
		return err
	}
	return s.progress.wait(ctx, func(running map[string]task, _ map[string]int) bool {
		for _, t := range running {
			if t.title == "indexing" {
				return false
			}
		}
		return true
	})
}

// clangFailures reads the log from one mark to another: which files did not compile without errors.
func clangFailures(ctx context.Context, s *session, begin, end string) ([]string, error) {
	var failed []string
	begun := false
	err := s.said(ctx, func(line string) bool {
		begun = begun || strings.Contains(line, "<-- "+begin+"(")
		if _, rest, ok := strings.Cut(line, "Failed to compile "); ok && begun {
			path, _, _ := strings.Cut(rest, ", index may be incomplete")
			failed = append(failed, path)
		}
		return strings.Contains(line, "<-- "+end+"(")
	})
	return failed, err
}

// lookAgain makes the server look into a document as if it had just been opened: a closed one is opened, one that is
// open is closed before, and one that is gone is opened without text, so that nothing is left of what was in it.
func (s *session) lookAgain(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err != nil {
		return s.forgetDocument(ctx, path)
	}
	if err := s.shut(path); err != nil {
		return err
	}
	if err := s.open(path); err != nil {
		return nil // gone since
	}
	return s.looked(ctx, path)
}

// shut closes a document if it is open. Whoever asks about it next opens it.
func (s *session) shut(path string) error {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok {
		return nil
	}
	return s.broken(d.close(element))
}

// holds says whether a document is open.
func (s *session) holds(path string) bool {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	return s.documents.byPath[path] != nil
}

// forgetDocument opens a document without text for as long as it takes the server to look into it.
func (s *session) forgetDocument(ctx context.Context, path string) error {
	if err := s.shut(path); err != nil {
		return err
	}
	if err := s.openEmpty(path); err != nil {
		return err
	}
	if err := s.looked(ctx, path); err != nil {
		return err
	}
	return s.shut(path)
}

// openEmpty opens a document without text, unless it has been opened otherwise.
func (s *session) openEmpty(path string) error {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.byPath[path]; ok {
		return nil
	}
	return s.broken(d.add(&document{path: path, language: d.language(path)}))
}

// looked asks about a document, which is answered once the server has looked into it. A refusal is an answer, too.
func (s *session) looked(ctx context.Context, path string) error {
	params := &protocol.DocumentSymbolParams{TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(path)}}
	_, err := ask[json.RawMessage](ctx, s, protocol.MethodTextDocumentDocumentSymbol, params)
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}

// firstError is the message of the first error in a file, "" if none is known.
func (p *progress) firstError(path string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if first := p.errors[path].first; len(first) > 0 {
		return first[0].Message
	}
	return ""
}
