package lsp

import (
	"container/list"
	"os"
	"sync"

	"go.lsp.dev/protocol"
)

// openLimit is how many documents a server holds open for us. A query on an open document of gopls is several
// times faster, because its package stays type checked; each costs the memory of that package.
const openLimit = 32

// documents are the files that a server holds open, the latest used in front.
type documents struct {
	mu     sync.Mutex // held while notifications are queued, so that they leave in the order of the versions
	order  *list.List // of *document
	byPath map[string]*list.Element
}

type document struct {
	path    string
	version int32
	text    string
}

func newDocuments() documents {
	return documents{order: list.New(), byPath: map[string]*list.Element{}}
}

// open makes the server hold path open, with the text that it has on the disk.
func (s *session) open(path string) error {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if element, ok := d.byPath[path]; ok {
		d.order.MoveToFront(element)
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if d.order.Len() >= openLimit {
		if err := s.closeDocument(d.order.Back()); err != nil {
			return err
		}
	}
	opened := &document{path: path, version: 1, text: string(data)}
	d.byPath[path] = d.order.PushFront(opened)
	s.progress.notify(false)
	return s.tell(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{
			URI:        wireURI(path),
			LanguageID: s.languageID(path),
			Version:    opened.version,
			Text:       opened.text,
		},
	})
}

// refresh gives the server the text on the disk of those changed files that it holds open.
func (s *session) refresh(changes []change) error {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	for _, c := range changes {
		if element, ok := s.documents.byPath[c.path]; ok {
			if err := s.refreshDocument(element); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) refreshDocument(element *list.Element) error {
	d := element.Value.(*document)
	data, err := os.ReadFile(d.path)
	if err != nil { // gone, or no longer ours to read
		return s.closeDocument(element)
	}
	if string(data) == d.text {
		return nil
	}
	d.version, d.text = d.version+1, string(data)
	s.progress.notify(true)
	return s.tell(protocol.MethodTextDocumentDidChange, &protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: wireURI(d.path)},
			Version:                d.version,
		},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangeWholeDocument{Text: d.text},
		},
	})
}

func (s *session) closeDocument(element *list.Element) error {
	path := s.documents.order.Remove(element).(*document).path
	delete(s.documents.byPath, path)
	s.progress.notify(false)
	return s.tell(protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: wireURI(path)},
	})
}

// languageID is what the protocol calls the language of a file.
func (s *session) languageID(path string) protocol.LanguageKind {
	if s.language.LanguageID != nil {
		return protocol.LanguageKind(s.language.LanguageID(path))
	}
	return protocol.LanguageKind(s.language.ID)
}
