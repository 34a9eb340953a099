package draft

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp/internal/text"
)

// An Edit replaces a part of a file by another text.
type Edit struct {
	Path       string // absolute, or below the tree's root
	Start, End int    // of the part in the text on the disk, in bytes; equal for what only puts in
	New        string
}

// A File is a file with edits. It is never changed, only replaced.
type File struct {
	disk  string // its text on the disk; edits count from there
	edits []Edit // by place, none into another; those at the same place as they were made
}

// With adds an edit. The zero File stands for a file that has none yet.
func (f File) With(e Edit) (File, error) {
	if len(f.edits) == 0 {
		var err error
		if f.disk, err = text.ReadFile(e.Path); err != nil {
			return f, fmt.Errorf("reading what an edit is for: %w", err)
		}
	}
	if e.Start < 0 || e.End < e.Start || len(f.disk) < e.End {
		return f, &EditError{Edit: e, Reason: fmt.Sprintf("the file has %d bytes", len(f.disk))}
	}
	for _, other := range f.edits {
		if e.Start < other.End && other.Start < e.End {
			return f, &EditError{Edit: e, Reason: fmt.Sprintf("bytes %d to %d were replaced before", other.Start, other.End)}
		}
	}
	f.edits = append(slices.Clip(f.edits), e)
	slices.SortStableFunc(f.edits, func(a, b Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	return f, nil
}

// CheckDisk returns what is wrong if the text on the disk has become another one.
func (f File) CheckDisk(path string) error {
	data, err := os.ReadFile(path)
	if err != nil || string(data) != f.disk {
		return &EditError{Edit: f.edits[0], Reason: "the file has changed on the disk since it was first edited"}
	}
	return nil
}

// Text returns the file with its edits.
func (f File) Text() string {
	var parts []string
	at := 0
	for _, e := range f.edits {
		parts = append(parts, f.disk[at:e.Start], e.New)
		at = e.End
	}
	return strings.Join(append(parts, f.disk[at:]), "")
}

// origin returns where on the disk stands what is at an offset of text: the start of the edit that has put it there, if one
// has.
func (f File) origin(offset int) int {
	grown := 0 // by the edits before
	for _, e := range f.edits {
		start := e.Start + grown
		if offset < start {
			break
		}
		if offset < start+len(e.New) {
			return e.Start
		}
		grown += len(e.New) - (e.End - e.Start)
	}
	return offset - grown
}

// settle returns the offset on the disk that origin gives for what stood at one before: where an edit has taken it away it is
// the edit's start.
func (f File) settle(offset int) int {
	for _, e := range f.edits {
		if e.Start <= offset && offset < e.End {
			return e.Start
		}
	}
	return offset
}

// An EditError means that an edit of a draft cannot be made.
type EditError struct {
	Edit   Edit
	Reason string
}

// Error returns which edit and why.
func (e *EditError) Error() string {
	return fmt.Sprintf("bytes %d to %d of %s cannot be replaced: %s", e.Edit.Start, e.Edit.End, filepath.Base(e.Edit.Path), e.Reason)
}

// Hint says how edits count.
func (e *EditError) Hint() string {
	return "edits count bytes in the text on the disk, and none may reach into another; begin another draft for another text"
}
