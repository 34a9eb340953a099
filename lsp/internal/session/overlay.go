package session

import (
	"container/list"
	"os"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/text"
)

// Buffers are what a client has open, by path. They are never changed once they are made. All other files are as on
// the disk; nil is the disk.
type Buffers map[string]Buffer

// A Buffer is one document of a client.
type Buffer struct {
	Language string // the protocol's id
	Version  int32  // the client's count
	Text     string
}

// claim keeps clients from showing the server their texts without need, until release is called.
func (d *Documents) claim() (release func()) {
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
func (d *Documents) show(v Buffers) error {
	for path, b := range v {
		if err := d.put(path, b); err != nil {
			return err
		}
	}
	for path := range d.overlaid {
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
func (d *Documents) put(path string, b Buffer) error {
	element, ok := d.byPath[path]
	if ok {
		if known := element.Value.(*document); known.text == b.Text {
			known.held = true
			return nil
		}
	}
	data, err := os.ReadFile(path)
	overlaid := err != nil || string(data) != b.Text
	if !ok {
		return d.add(&document{path: path, language: b.Language, text: b.Text, overlaid: overlaid, held: true})
	}
	element.Value.(*document).held = true
	return d.change(element, b.Text, overlaid)
}

// mark says whether a document is to have another text than the disk, and returns what must be called when it has
// been sent: what the server says in between is not about the disk. Callers hold mu.
func (d *Documents) mark(path string, overlaid bool) (sent func()) {
	if !overlaid {
		return func() {
			delete(d.overlaid, path)
			d.countOverlaid()
		}
	}
	d.overlaid[path] = true
	if d.progress.language.RemembersOpened {
		d.suspects[path] = true
	}
	d.countOverlaid()
	return func() {}
}

func (d *Documents) countOverlaid() { d.progress.setOverlaid(len(d.overlaid)+len(d.suspects) > 0) }

// restore gives the server the text on the disk. Callers hold mu.
func (d *Documents) restore(element *list.Element) error {
	content, err := text.ReadFile(element.Value.(*document).path)
	if err != nil { // gone, or no longer ours to read
		return d.close(element)
	}
	return d.change(element, content, false)
}

// change gives the server another text of a document. Callers hold mu.
func (d *Documents) change(element *list.Element, content string, overlaid bool) error {
	changed := element.Value.(*document)
	defer d.mark(changed.path, overlaid)()
	last := Version{changed.version, changed.text, changed.overlaid}
	changed.overlaid = overlaid
	if changed.text == content {
		return nil
	}
	if changed.held {
		changed.before = append(changed.before, last)
		changed.before = changed.before[max(0, len(changed.before)-versionsKept):]
	}
	changed.version, changed.text = changed.version+1, content
	if d.progress.language.RemembersOpened {
		d.unseen[changed.path] = changed.version
	}
	if d.progress.language.RemembersOpened && (overlaid || last.Overlaid || changed.held) {
		if err := d.tellClosed(changed); err != nil {
			return err
		}
		return d.tellOpen(changed)
	}
	d.progress.CountNotification(changed.path)
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

// Release closes a document that clients held, for none does any more.
func (d *Documents) Release(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok || !element.Value.(*document).held {
		return nil
	}
	return d.close(element)
}

// TextOnDisk returns the text of an open document that no client has changed.
func (d *Documents) TextOnDisk(path string) (text string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok || element.Value.(*document).overlaid {
		return "", false
	}
	return element.Value.(*document).text, true
}

// LinesOnDisk is TextOnDisk with what says where its lines start.
func (d *Documents) LinesOnDisk(path string) (lines text.Text, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byPath[path]
	if !ok || element.Value.(*document).overlaid {
		return text.Text{}, false
	}
	known := element.Value.(*document)
	if !known.lines.IsOf(known.text) {
		known.lines = text.New(known.text)
	}
	return known.lines, true
}
