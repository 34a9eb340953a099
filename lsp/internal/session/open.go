package session

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/text"
)

// Open makes the server hold path open. A document that is not open yet gets the text that it has on the disk.
func (s *Session) Open(path string) error {
	s.Documents.mu.Lock()
	defer s.Documents.mu.Unlock()
	return s.Broken(s.Documents.open(path))
}

// PrepareFor prepares for a question about a file: its document is opened, unless the server reads what it has loaded, and this is the first
// question, a document of the same unit is open, or the server is at work on changes. loaded says whether it has loaded the file. An open
// document has gopls v0.23 begin again with what it is at work on.
//
// Measured with gopls v0.23, right after it has loaded 300 packages: the references to a function take 15 to 50 ms of CPU,
// and 75 to 130 ms if its file is opened before, for which all of its package is looked at. The second question about an
// open file takes 1 ms.
func (s *Session) PrepareFor(path string, loaded func() bool) error {
	if !s.Language.AnswersUnopened {
		return s.Open(path)
	}
	d := &s.Documents
	d.mu.Lock()
	_, asked := d.unopened[path]
	closed := d.byPath[path] == nil && (!asked || d.hasUnit(path))
	d.mu.Unlock()
	closed = (closed || !s.Progress.Settled()) && loaded() // which may take locks that come first
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.unopened) >= unopenedKept {
		clear(d.unopened)
	}
	d.unopened[path] = closed
	return s.Broken(d.open(path))
}

// hasUnit reports whether a document of the file's unit is open, and counts that as a use of the document. Callers hold mu.
func (d *Documents) hasUnit(path string) bool {
	of := d.progress.language.Unit
	if of == nil {
		return false
	}
	unit := of(path)
	for element := d.order.Front(); element != nil; element = element.Next() {
		if of(element.Value.(*document).path) == unit {
			d.order.MoveToFront(element)
			return true
		}
	}
	return false
}

// unopenedKept is how many files are known to have been asked about; with more, all are forgotten.
const unopenedKept = 10_000

// Keep is Open of a file that the server would read otherwise than it is if it were not open: CloseOurs passes over it.
func (s *Session) Keep(path string) error {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.unopened, path)
	if err := d.open(path); err != nil {
		return s.Broken(err)
	}
	if element, ok := d.byPath[path]; ok {
		element.Value.(*document).kept = true
	}
	return nil
}

// CloseOurs closes the documents that are open for us alone. The next question about one of them is a first one.
//
// gopls v0.23 runs all of its analyzers over the package of each open document, and over what that imports, whenever something has changed
// there. Measured in mvdan.cc/sh after an edit of a file that most packages import, until it has looked at what has changed: 410 ms with 12
// documents open and 120 ms with two.
func (s *Session) CloseOurs() error {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	for element := d.order.Front(); element != nil; {
		known, next := element.Value.(*document), element.Next()
		if !known.held && !known.kept && !known.overlaid {
			delete(d.unopened, known.path)
			if err := d.close(element); err != nil {
				return s.Broken(err)
			}
		}
		element = next
	}
	return nil
}

// Refresh gives the server the text on the disk of those changed files that it holds open.
func (s *Session) Refresh(changes []disk.Change) error {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range changes {
		if element, ok := d.byPath[c.Path]; ok {
			if err := s.Broken(d.restore(element)); err != nil {
				return err
			}
		}
	}
	return nil
}

// RestoreDisk gives the server the files as they are on the disk, so that it looks at them before the next query.
func (s *Session) RestoreDisk(ctx context.Context) error {
	suspects, err := s.showDisk(ctx)
	for _, path := range suspects {
		if err == nil {
			err = s.Reopen(ctx, path)
		}
	}
	s.Documents.mu.Lock()
	defer s.Documents.mu.Unlock()
	if err == nil && len(s.Documents.overlaid) == 0 {
		for _, path := range suspects {
			delete(s.Documents.suspects, path)
		}
	}
	s.Documents.countOverlaid()
	return s.Broken(err)
}

// showDisk sends the texts of the disk in the place of those of clients, and returns the suspects.
func (s *Session) showDisk(ctx context.Context) (suspects []string, err error) {
	if s.Progress.Overlaid() {
		defer s.Turn(ctx)()
	}
	s.Documents.mu.Lock()
	defer s.Documents.mu.Unlock()
	err = s.Documents.show(nil)
	return slices.Collect(maps.Keys(s.Documents.suspects)), err
}

// Reopen makes the server look into a document as if it had just been opened: a closed one is opened, one that is
// open is closed before, and one that is gone is opened without text, so that nothing is left of what was in it.
func (s *Session) Reopen(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err != nil {
		return s.ForgetDocument(ctx, path)
	}
	if err := s.Shut(path); err != nil {
		return err
	}
	if err := s.Open(path); err != nil {
		return nil // gone since
	}
	return s.AwaitParsed(ctx, path)
}

// Shut closes a document if it is open. Whoever asks about it next opens it.
func (s *Session) Shut(path string) error {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok {
		return nil
	}
	return s.Broken(d.close(element))
}

// IsOpen reports whether a document is open.
func (s *Session) IsOpen(path string) bool {
	s.Documents.mu.Lock()
	defer s.Documents.mu.Unlock()
	return s.Documents.byPath[path] != nil
}

// ForgetDocument opens a document without text for as long as it takes the server to look into it.
func (s *Session) ForgetDocument(ctx context.Context, path string) error {
	if err := s.Shut(path); err != nil {
		return err
	}
	if err := s.openEmpty(path); err != nil {
		return err
	}
	if err := s.AwaitParsed(ctx, path); err != nil {
		return err
	}
	return s.Shut(path)
}

// openEmpty opens a document without text, unless it has been opened otherwise.
func (s *Session) openEmpty(path string) error {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.byPath[path]; ok {
		return nil
	}
	return s.Broken(d.add(&document{path: path, language: d.language(path)}))
}

// AwaitParsed asks about a document, which is answered once the server has looked into it. A refusal is an answer, too.
func (s *Session) AwaitParsed(ctx context.Context, path string) error {
	params := &protocol.DocumentSymbolParams{TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(path)}}
	_, err := Ask[json.RawMessage](ctx, s, protocol.MethodTextDocumentDocumentSymbol, params)
	var refusal *jsonrpc2.Error
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}
