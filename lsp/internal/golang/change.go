package golang

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// reload is a name of no file. A change of it makes gopls list all packages again: settings has it among the
// files that define the workspace.
const reload = "tidepool.packages"

// changed tells gopls of changes on the disk. Measured with v0.23: of a file in a directory in which it knows no
// package it makes nothing, and packages of a module that has come or gone stay where they were, until all are listed
// again. The same is true of a package that was not there for a moment while gopls listed packages because of an earlier
// change: of a branch that was left and entered again it hears only that files have changed. To open a file of each new
// package would cost less, but gopls then looks for errors before it loads them.
func changed(s *session.Session, what session.Update) error {
	changes := what.Changes
	if err := s.CloseOurs(); err != nil {
		return err
	}
	if err := s.Refresh(changes); err != nil {
		return err
	}
	if err := openUnseen(s, changes); err != nil {
		return err
	}
	folders := s.Folders()
	regroups := regroups(s.Language, folders, what)
	if s.Progress.ClearTrouble() || regroups || what.Raced {
		for _, folder := range folders {
			changes = append(changes, disk.Change{Path: filepath.Join(folder, reload), Kind: disk.Changed})
		}
	}
	s.Progress.CountNotification(session.Paths(changes)...)
	return s.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, session.Watched(changes))
}

// openUnseen opens the files whose content has changed and whose time has not, so that gopls has their texts: v0.23 keeps what it has read of a file whose
// time is older than two seconds, until the time is another one. It has the old text again when the document is closed to make room for others.
func openUnseen(s *session.Session, changes []disk.Change) error {
	opened := 0
	for _, c := range changes {
		if !c.SameTime || !s.Language.Reads(c.Path) || opened == session.OpenedAtOnce {
			continue
		}
		opened++
		if err := s.Keep(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// hear takes note of packages that gopls could not load after a change. It says so in its log alone, and forgets them
// until they change or all are listed again: there is no error in any file.
func hear(s *session.Session, method string, params []byte) {
	var message struct {
		Type    protocol.MessageType `json:"type"`
		Message string               `json:"message"`
	}
	if method != protocol.MethodWindowLogMessage || json.Unmarshal(params, &message) != nil || message.Type != protocol.MessageTypeError {
		return
	}
	about, reason, found := strings.Cut(message.Message, ": packages.Load error: err: ")
	if found && (strings.HasSuffix(about, "reloading workspace") || strings.HasSuffix(about, "initial workspace load failed")) {
		reason, _, _ = strings.Cut(reason, "\n\tview_id=")
		s.Progress.SetTrouble(text.Clip(wording.OneLine(reason), session.MessageLimit))
	}
}

// regroups reports whether there are packages or modules after the changes that were not there before.
func regroups(language *session.Language, folders []string, what session.Update) bool {
	fresh := what.Entered // files, by path
	for _, c := range what.Changes {
		switch {
		case c.Kind != disk.Changed && filepath.Base(c.Path) == "go.mod":
			return true
		case c.Kind == disk.Created && language.Reads(c.Path):
			fresh[c.Path] = true
		}
	}
	seen := map[string]bool{} // directories
	for path := range fresh {
		dir := filepath.Dir(path)
		if seen[dir] || what.Outside(path) != "" || passes(folders, dir) {
			continue
		}
		if seen[dir] = true; !known(language, dir, what) {
			return true
		}
	}
	return false
}

// passes reports whether a directory lies in a folder that `go list ./...` lists without it.
func passes(folders []string, dir string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		below, err := filepath.Rel(folder, dir)
		return err == nil && filepath.IsLocal(below) && ignored(below)
	})
}

// known reports whether a directory has a file that gopls has loaded before.
func known(language *session.Language, dir string, what session.Update) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		path := filepath.Join(dir, entry.Name())
		return language.Reads(path) && !what.Entered[path] && what.Outside(path) == ""
	})
}
