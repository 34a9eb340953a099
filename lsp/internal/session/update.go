package session

import (
	"errors"
	"io/fs"
	"slices"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/text"
)

// Update are what has changed on the disk since a session was last told.
type Update struct {
	Changes []disk.Change
	Raced   bool                     // files have come, gone or been replaced while the server looked at earlier news
	Entered map[string]bool          // source files that the server left out before, and may read now
	Outside func(path string) string // why the server leaves out a source file, "" if it does not
}

// Apply tells the server of news.
func (s *Session) Apply(what Update) error {
	if s.Language.Changed != nil {
		return s.Language.Changed(s, what)
	}
	return s.DidChange(what.Changes)
}

// DidChange is how a session hears of changes on the disk unless its language does it otherwise.
func (s *Session) DidChange(changes []disk.Change) error {
	if err := s.Refresh(changes); err != nil {
		return err
	}
	s.Progress.CountNotification(Paths(changes)...)
	return s.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, Watched(changes))
}

// Paths returns those of changes.
func Paths(changes []disk.Change) []string {
	paths := make([]string, len(changes))
	for i, c := range changes {
		paths[i] = c.Path
	}
	return paths
}

// Watched returns how changes are told on the wire.
func Watched(changes []disk.Change) *protocol.DidChangeWatchedFilesParams {
	events := make([]protocol.FileEvent, len(changes))
	for i, c := range changes {
		events[i] = protocol.FileEvent{URI: text.URI(c.Path), Type: protocol.FileChangeType(c.Kind)}
	}
	return &protocol.DidChangeWatchedFilesParams{Changes: events}
}

// OpenedAtOnce is how many changed files are opened at once, so that the server hears their texts.
const OpenedAtOnce = 64

// OpenChanged tells of changes on the disk a server that reads files some time after it has heard of them, or never while
// they are not open: the texts of up to OpenedAtOnce files go to it in the stream, before the next request.
func (s *Session) OpenChanged(what Update) error {
	changes := what.Changes
	if err := s.Refresh(changes); err != nil {
		return err
	}
	opened := 0
	for _, c := range changes {
		if c.Kind == disk.Deleted || !s.Language.Reads(c.Path) || opened == OpenedAtOnce {
			continue
		}
		opened++
		if err := s.Open(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return s.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, Watched(changes))
}

// Folders returns the roots that the server knows of.
func (s *Session) Folders() []string {
	s.placing.Lock()
	defer s.placing.Unlock()
	return slices.Clone(s.roots)
}

// SetFolders takes note that the server is told of these roots, and returns those that have come and gone.
func (s *Session) SetFolders(now []string) (come, gone []string) {
	s.placing.Lock()
	defer s.placing.Unlock()
	come = slices.DeleteFunc(slices.Clone(now), func(dir string) bool { return slices.Contains(s.roots, dir) })
	gone = slices.DeleteFunc(slices.Clone(s.roots), func(dir string) bool { return slices.Contains(now, dir) })
	s.roots = now
	return come, gone
}
