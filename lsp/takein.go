package lsp

import (
	"errors"
	"io/fs"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
)

// takenIn is how many changed files are opened at once, so that the server hears their texts.
const takenIn = 64

// takeIn tells of changes on the disk a server that reads files some time after it has heard of them, or never while
// they are not open: the texts of up to takenIn files go to it in the stream, before the next request.
func (s *session) takeIn(what news) error {
	changes := what.changes
	if err := s.refresh(changes); err != nil {
		return err
	}
	opened := 0
	for _, c := range changes {
		if c.Kind == disk.Deleted || !s.language.reads(c.Path) || opened == takenIn {
			continue
		}
		opened++
		if err := s.open(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return s.tell(protocol.MethodWorkspaceDidChangeWatchedFiles, watched(changes))
}
