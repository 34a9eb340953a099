package lsp

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/text"
)

// openLimit is how many documents a server holds open for us. A query on an open document of gopls is several
// times faster, because its package stays type checked; each costs the memory of that package. Those that clients
// of proxies hold open come on top.
const openLimit = 32

// documents are the files that a server holds open, the latest used in front. A server has one text of each at a
// time. Several may want to ask about different ones: our own queries about what is on the disk, and each client
// about what it has in its buffers. So the texts are made those of the one who asks in one step with sending the
// request, and the order of the stream does the rest.
type documents struct {
	wire     *wire
	progress *progress
	language func(path string) string // the protocol's id

	mu     sync.Mutex             // held while messages are queued, so that each meets the texts that it is about
	reads  func(path string) bool // files that the server knows as well when they are not open; nil: none
	order  *list.List             // of *document
	byPath map[string]*list.Element
	strays map[string]bool // paths of those that are
	// Of a lingering server: the paths of documents that have strayed since it was last made to look at the disk, and
	// the versions of those that it has not been seen to look into.
	suspects map[string]bool
	unseen   map[string]int32
	claims   int // of those who ask about the disk, or wait for the server to look at it
	// Of a server that glances: the files that were asked about, and whether the only question so far is to do without
	// opening them.
	glanced map[string]bool
}

type document struct {
	path     string
	language string // the protocol's id
	version  int32
	text     string
	lines    text.Text // of a text that it has or had; zero: nobody has asked
	stray    bool      // the text is a client's and not that of the disk
	held     bool      // by a client, which will ask for it again: it is not closed to make room
	before   []edition // what the server may still speak of, the oldest first
}

// An edition is a text that a document had.
type edition struct {
	version int32
	text    string
	stray   bool
}

// editionsKept is how many versions back a server's diagnostics find their text.
const editionsKept = 4

// buffers are what a client has open, by path. They are never changed once they are made. All other files are as on
// the disk; nil is the disk.
type buffers map[string]buffer

// A buffer is one document of a client.
type buffer struct {
	language string // the protocol's id
	version  int32  // the client's count
	text     string
}

func newDocuments() documents {
	return documents{
		order: list.New(), byPath: map[string]*list.Element{},
		strays: map[string]bool{}, suspects: map[string]bool{}, unseen: map[string]int32{}, glanced: map[string]bool{},
	}
}

// idOf is the protocol's language id of a file.
func (l *Language) idOf(path string) string {
	if l.LanguageID != nil {
		return l.LanguageID(path)
	}
	return l.ID
}

// open makes the server hold path open. A document that is not open yet gets the text that it has on the disk.
func (s *session) open(path string) error {
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	return s.broken(s.documents.open(path))
}

// open is that of the session. Callers hold mu.
func (d *documents) open(path string) error {
	if element, ok := d.byPath[path]; ok {
		d.order.MoveToFront(element)
		return nil
	}
	if d.glanced[path] || d.reads != nil && d.reads(path) {
		_, err := os.Stat(path)
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := d.makeRoom(); err != nil {
		return err
	}
	return d.add(&document{path: path, language: d.language(path), text: string(data)})
}

// leave says which files the server knows as well when they are not open. From here on none of them is opened, unless a
// client does.
func (d *documents) leave(reads func(path string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reads = reads
}

// refresh gives the server the text on the disk of those changed files that it holds open.
func (s *session) refresh(changes []disk.Change) error {
	d := &s.documents
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range changes {
		if element, ok := d.byPath[c.Path]; ok {
			if err := s.broken(d.restore(element)); err != nil {
				return err
			}
		}
	}
	return nil
}

// broken is the error of a failed notification as callers know it; others stay.
func (s *session) broken(err error) error {
	if !errors.Is(err, errBroken) {
		return err
	}
	return fmt.Errorf("%s: %w", s.program(), err)
}

// onDisk gives the server the files as they are on the disk, so that it looks at them before the next query.
func (s *session) onDisk(ctx context.Context) error {
	suspects, err := s.showDisk(ctx)
	for _, path := range suspects {
		if err == nil {
			err = s.lookAgain(ctx, path)
		}
	}
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	if err == nil && len(s.documents.strays) == 0 {
		for _, path := range suspects {
			delete(s.documents.suspects, path)
		}
	}
	s.documents.stray()
	return s.broken(err)
}

// showDisk sends the texts of the disk in the place of those of clients, and returns the suspects.
func (s *session) showDisk(ctx context.Context) (suspects []string, err error) {
	if s.progress.astray() {
		defer s.turn(ctx)()
	}
	s.documents.mu.Lock()
	defer s.documents.mu.Unlock()
	err = s.documents.show(nil)
	return slices.Collect(maps.Keys(s.documents.suspects)), err
}

// asOnDisk is the text of an open document that no client has changed.
func (d *documents) asOnDisk(path string) (text string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok || element.Value.(*document).stray {
		return "", false
	}
	return element.Value.(*document).text, true
}

// linesOnDisk is asOnDisk with what says where its lines start.
func (d *documents) linesOnDisk(path string) (lines text.Text, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok || element.Value.(*document).stray {
		return text.Text{}, false
	}
	known := element.Value.(*document)
	if !known.lines.IsOf(known.text) {
		known.lines = text.New(known.text)
	}
	return known.lines, true
}

// claim keeps clients from showing the server their texts without need, until release is called.
func (d *documents) claim() (release func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.claims++
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.claims--
	}
}

// show makes the server's texts those of a client. Callers hold mu.
func (d *documents) show(v buffers) error {
	for path, b := range v {
		if err := d.put(path, b); err != nil {
			return err
		}
	}
	for path := range d.strays {
		if _, ok := v[path]; ok {
			continue
		}
		if err := d.restore(d.byPath[path]); err != nil {
			return err
		}
	}
	return nil
}

// put gives the server the text of a client. Callers hold mu.
func (d *documents) put(path string, b buffer) error {
	element, ok := d.byPath[path]
	if ok {
		if known := element.Value.(*document); known.text == b.text {
			known.held = true
			return nil
		}
	}
	data, err := os.ReadFile(path)
	stray := err != nil || string(data) != b.text
	if !ok {
		return d.add(&document{path: path, language: b.language, text: b.text, stray: stray, held: true})
	}
	element.Value.(*document).held = true
	return d.change(element, b.text, stray)
}

// mark says whether a document is to have another text than the disk, and returns what must be called when it has
// been sent: what the server says in between is not about the disk. Callers hold mu.
func (d *documents) mark(path string, stray bool) (sent func()) {
	if !stray {
		return func() {
			delete(d.strays, path)
			d.stray()
		}
	}
	d.strays[path] = true
	if d.progress.language.Lingers {
		d.suspects[path] = true
	}
	d.stray()
	return func() {}
}

func (d *documents) stray() { d.progress.stray(len(d.strays)+len(d.suspects) > 0) }

// add opens a document. Callers hold mu.
func (d *documents) add(opened *document) error {
	opened.version++
	d.byPath[opened.path] = d.order.PushFront(opened)
	defer d.mark(opened.path, opened.stray)()
	return d.tellOpen(opened)
}

func (d *documents) tellOpen(opened *document) error {
	if d.progress.language.Lingers {
		d.unseen[opened.path] = opened.version
	}
	d.progress.notify(opened.stray)
	return d.wire.notify(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{
			URI:        text.URI(opened.path),
			LanguageID: protocol.LanguageKind(opened.language),
			Version:    opened.version,
			Text:       opened.text,
		},
	})
}

// makeRoom closes the document that has not been used for longest if there are too many that nobody holds.
func (d *documents) makeRoom() error {
	var last *list.Element
	free := 0
	for element := d.order.Front(); element != nil; element = element.Next() {
		if !element.Value.(*document).held {
			last, free = element, free+1
		}
	}
	if free < openLimit {
		return nil
	}
	return d.close(last)
}

// restore gives the server the text on the disk. Callers hold mu.
func (d *documents) restore(element *list.Element) error {
	data, err := os.ReadFile(element.Value.(*document).path)
	if err != nil { // gone, or no longer ours to read
		return d.close(element)
	}
	return d.change(element, string(data), false)
}

// change gives the server another text of a document. Callers hold mu.
func (d *documents) change(element *list.Element, content string, stray bool) error {
	changed := element.Value.(*document)
	defer d.mark(changed.path, stray)()
	last := edition{changed.version, changed.text, changed.stray}
	changed.stray = stray
	if changed.text == content {
		return nil
	}
	if changed.held {
		changed.before = append(changed.before, last)
		changed.before = changed.before[max(0, len(changed.before)-editionsKept):]
	}
	changed.version, changed.text = changed.version+1, content
	if d.progress.language.Lingers {
		d.unseen[changed.path] = changed.version
	}
	if d.progress.language.Lingers && (stray || last.stray || changed.held) {
		if err := d.tellClosed(changed); err != nil {
			return err
		}
		return d.tellOpen(changed)
	}
	d.progress.notify(true)
	return d.wire.notify(protocol.MethodTextDocumentDidChange, &protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: text.URI(changed.path)},
			Version:                changed.version,
		},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangeWholeDocument{Text: changed.text},
		},
	})
}

// release closes a document that clients held, for none does any more.
func (d *documents) release(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok || !element.Value.(*document).held {
		return nil
	}
	return d.close(element)
}

// close ends the server's hold on a document. Callers hold mu.
func (d *documents) close(element *list.Element) error {
	closed := d.order.Remove(element).(*document)
	delete(d.byPath, closed.path)
	delete(d.unseen, closed.path)
	defer d.mark(closed.path, false)()
	return d.tellClosed(closed)
}

func (d *documents) tellClosed(closed *document) error {
	d.progress.notify(closed.stray)
	return d.wire.notify(protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(closed.path)},
	})
}

// edition is the text that a document had in a version of ours, or has now if the server names none; ok says that it
// is known.
func (d *documents) edition(path string, version *int32) (found edition, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok {
		return edition{}, false
	}
	known := element.Value.(*document)
	if version == nil || *version == known.version {
		return edition{known.version, known.text, known.stray}, true
	}
	at := slices.IndexFunc(known.before, func(e edition) bool { return e.version == *version })
	if at < 0 {
		return edition{}, false
	}
	return known.before[at], true
}

// stray says whether the server looks at other texts than those of the disk. While it does, what it finds does not
// count: the errors known are those of before.
func (p *progress) stray(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.strayed != yes {
		p.strayed = yes
		p.update()
	}
}
