package setup

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// original reads the backup. A project that was cloned may hold anything in its place, so no link is followed there.
func (s site) original() (file, error) {
	if isOwn(s.backup) {
		return lookOwn(s.backup)
	}
	for path := s.backup; ; path = filepath.Dir(path) {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return file{}, &FileError{Path: path, Problem: "a symbolic link where tidepool keeps its own files", hint: "remove it"}
		}
		if path == s.ours {
			return look(s.backup)
		}
	}
}

// keepOriginal plans what the backup of f holds once f is changed. had tells whether f holds entries of ours now.
func (p *Plan) keepOriginal(s site, f file, had bool) error {
	old, err := s.original()
	if err != nil {
		return err
	}
	if had && s.becomes(old, f) {
		return nil // it is still what there was before us
	}
	if old.exists() || f.exists() {
		p.backups = append(p.backups, Change{old.path, old.data, f.data, old.info, 0o600})
	}
	return nil
}

// pristine returns what original holds if there is nothing of ours in it, else nil.
func (s site) pristine(original file) *document {
	if !original.exists() {
		return nil
	}
	doc, err := parse(original.path, original.data)
	if err != nil {
		return nil
	}
	if found, err := s.kind.find(doc); err != nil || len(found) > 0 {
		return nil
	}
	return doc
}

// becomes reports whether original is pristine, and putting our entries into it gives what f holds.
func (s site) becomes(original, f file) bool {
	was := s.pristine(original)
	is, err := parse(f.path, f.data)
	if was == nil || err != nil {
		return false
	}
	found, err := s.kind.find(is)
	if err != nil || len(found) == 0 {
		return false
	}
	k := s.kind
	if _, is := k.(hooks); is {
		k = kindOf(found)
	}
	if err := k.put(was, found[0].command()); err != nil {
		return false
	}
	return bytes.Equal(was.bytes(), f.data)
}

// kindOf returns the kind that puts entries as those into a settings file.
func kindOf(found []entry) kind {
	isPrefix := func(e entry) bool { return e.prefix }
	if !slices.ContainsFunc(found, func(e entry) bool { return !e.prefix }) {
		return shellPrefix{}
	}
	return hooks{shell: slices.ContainsFunc(found, isPrefix)}
}
