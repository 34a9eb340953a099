package session

import (
	"container/list"
	"os"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/text"
)

// OpenLimit is how many documents a server holds open for us. A query on an open document of gopls is several
// times faster, because its package stays type checked; each costs the memory of that package. Those that clients
// of proxies hold open come on top.
const OpenLimit = 32

// openBytes bounds the text of these documents, of which the latest stays however large. Of 32 generated files of some megabytes we kept
// 50 MB, and gopls their packages.
const openBytes = 8 << 20

// Documents are the files that a server holds open, the latest used in front. A server has one text of each at a
// time. Several may want to ask about different ones: our own queries about what is on the disk, and each client
// about what it has in its buffers. So the texts are made those of the one who asks in one step with sending the
// request, and the order of the stream does the rest.
type Documents struct {
	wire     *wire
	progress *Progress
	language func(path string) string // the protocol's id

	mu       sync.Mutex                     // held while messages are queued, so that each meets the texts that it is about
	reads    func(path string) bool         // files that the server knows as well when they are not open; nil: none
	need     func(path string) Notification // before a document is opened; nil: none
	order    *list.List                     // of *document
	byPath   map[string]*list.Element
	overlaid map[string]bool // paths of those that are
	// Of a server that remembers opened documents: the paths of those that were overlaid since it was last made to look at
	// the disk, and the versions of those that it has not been seen to look into.
	suspects map[string]bool
	unseen   map[string]int32
	claims   int // of those who ask about the disk, or wait for the server to look at it
	// Of a server that answers unopened: the files that were asked about, and whether the question at hand is to do without opening
	// them.
	unopened map[string]bool
}

type document struct {
	path     string
	language string // the protocol's id
	version  int32
	text     string
	lines    text.Text // of a text that it has or had; zero: nobody has asked
	overlaid bool      // the text is a client's and not that of the disk
	held     bool      // by a client, which will ask for it again: it is not closed to make room
	kept     bool      // see Keep
	before   []Version // what the server may still speak of, the oldest first
}

// changes returns what its opening and closing change for the server: nothing if the text is that of the disk.
func (d *document) changes() []string {
	if !d.overlaid {
		return nil
	}
	return []string{d.path}
}

// A Version is a text that a document had.
type Version struct {
	Number   int32
	Text     string
	Overlaid bool
}

// versionsKept is how many versions back a server's diagnostics find their text.
const versionsKept = 4

func newDocuments() Documents {
	return Documents{
		order: list.New(), byPath: map[string]*list.Element{},
		overlaid: map[string]bool{}, suspects: map[string]bool{}, unseen: map[string]int32{}, unopened: map[string]bool{},
	}
}

// open is that of the session. Callers hold mu.
func (d *Documents) open(path string) error {
	if element, ok := d.byPath[path]; ok {
		d.order.MoveToFront(element)
		return nil
	}
	if d.unopened[path] || d.reads != nil && d.reads(path) {
		_, err := os.Stat(path)
		return err
	}
	content, err := text.ReadFile(path)
	if err != nil {
		return err
	}
	if err := d.makeRoom(len(content)); err != nil {
		return err
	}
	return d.add(&document{path: path, language: d.language(path), text: content})
}

// LeaveClosed says which files the server knows as well when they are not open. From here on none of them is opened, unless a
// client does.
func (d *Documents) LeaveClosed(reads func(path string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reads = reads
}

// A Notification is a message to the server that it does not answer; the zero one: none.
type Notification struct {
	Method string
	Params any
}

// BeforeOpen sets which notification the server gets before it opens a document. need is called with the documents locked.
func (d *Documents) BeforeOpen(need func(path string) Notification) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.need = need
}

// Supply sends the notification of BeforeOpen for a document, if that is open.
func (s *Session) Supply(path string) error {
	d := &s.Documents
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byPath[path] == nil {
		return nil
	}
	return s.Broken(d.supply(path))
}

func (d *Documents) supply(path string) error {
	if d.need == nil {
		return nil
	}
	n := d.need(path)
	if n.Params == nil {
		return nil
	}
	return d.wire.notify(n.Method, n.Params)
}

// add opens a document. Callers hold mu.
func (d *Documents) add(opened *document) error {
	opened.version++
	d.byPath[opened.path] = d.order.PushFront(opened)
	defer d.mark(opened.path, opened.overlaid)()
	return d.tellOpen(opened)
}

func (d *Documents) tellOpen(opened *document) error {
	if err := d.supply(opened.path); err != nil {
		return err
	}
	if d.progress.language.RemembersOpened {
		d.unseen[opened.path] = opened.version
	}
	d.progress.CountNotification(opened.changes()...)
	return d.wire.notify(protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{
			URI:        text.URI(opened.path),
			LanguageID: protocol.LanguageKind(opened.language),
			Version:    opened.version,
			Text:       opened.text,
		},
	})
}

// makeRoom closes the documents that have not been used for longest, of those that nobody holds, until there is room for another of so
// many bytes. Callers hold mu.
func (d *Documents) makeRoom(size int) error {
	count := 1
	for element := d.order.Front(); element != nil; {
		known, next := element.Value.(*document), element.Next()
		if !known.held {
			count, size = count+1, size+len(known.text)
			if count > OpenLimit || size > openBytes {
				if err := d.close(element); err != nil {
					return err
				}
			}
		}
		element = next
	}
	return nil
}

// close ends the server's hold on a document. Callers hold mu.
func (d *Documents) close(element *list.Element) error {
	closed := d.order.Remove(element).(*document)
	delete(d.byPath, closed.path)
	delete(d.unseen, closed.path)
	defer d.mark(closed.path, false)()
	return d.tellClosed(closed)
}

func (d *Documents) tellClosed(closed *document) error {
	d.progress.CountNotification(closed.changes()...)
	return d.wire.notify(protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: text.URI(closed.path)},
	})
}

// Version returns the text that a document had in a version of ours, or has now if the server names none; ok says that it
// is known.
func (d *Documents) Version(path string, version *int32) (found Version, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok {
		return Version{}, false
	}
	known := element.Value.(*document)
	if version == nil || *version == known.version {
		return Version{known.version, known.text, known.overlaid}, true
	}
	at := slices.IndexFunc(known.before, func(e Version) bool { return e.Number == *version })
	if at < 0 {
		return Version{}, false
	}
	return known.before[at], true
}
