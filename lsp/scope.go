package lsp

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// A scope holds the source files that a server does not load. They are read for the name in question: only
// if one mentions it can an answer lack something. Guarded by the server's mu.
type scope struct {
	outside func(path string) string // nil: to be made from the manifests
	why     map[string]string        // by path, of the files outside
	texts   map[string]string        // what was read of them
	entered map[string]bool          // files that were outside when the server last heard of changes, and are not now
}

// scanLimit is how many files outside are read and kept; if there are more, every answer may lack something.
const scanLimit = 200

// scopeChanges follows changes on the disk. files yields all files as of now. Callers hold mu.
func (s *server) scopeChanges(changes []change, files iter.Seq[string]) {
	manifest := func(c change) bool { return named(s.language.Manifests, filepath.Base(c.path)) }
	switch {
	case s.language.Outside == nil && s.scope.outside == nil:
		return
	case s.language.Outside != nil && (s.scope.outside == nil || slices.ContainsFunc(changes, manifest)):
		lookup := func(key string) string { return getenv(s.project.env, key) }
		s.classifyAll(s.language.Outside(s.language, s.project.root, lookup), files)
		return
	}
	for _, c := range changes {
		before := s.scope.why[c.path]
		delete(s.scope.why, c.path)
		delete(s.scope.texts, c.path)
		if c.kind != protocol.FileChangeTypeDeleted {
			s.classify(c.path)
			s.scope.enter(c.path, before)
		}
	}
}

// enter takes note of a file that was outside for a reason, and may not be now.
func (s *scope) enter(path, before string) {
	if before != "" && s.why[path] == "" {
		s.entered[path] = true
	}
}

// classifyAll begins anew with what outside says of the files. Callers hold mu.
func (s *server) classifyAll(outside func(string) string, files iter.Seq[string]) {
	before := s.scope.why
	s.scope = scope{outside: outside, why: map[string]string{}, texts: map[string]string{}, entered: map[string]bool{}}
	if outside == nil {
		return
	}
	for path := range files {
		s.classify(path)
		s.scope.enter(path, before[path])
	}
}

func (s *server) classify(path string) {
	if !s.reads(path) || filepath.IsAbs(s.project.relative(path)) {
		return
	}
	if why := s.scope.outside(path); why != "" {
		s.scope.why[path] = why
	}
}

// mentioned says which file outside the server's reach mentions name, and why it is outside; "" if none does.
func (s *server) mentioned(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.scope.why) > scanLimit {
		return fmt.Sprintf("%d source files are not loaded", len(s.scope.why))
	}
	for _, path := range slices.Sorted(maps.Keys(s.scope.why)) {
		text, ok := s.scope.texts[path]
		if !ok {
			data, _ := os.ReadFile(path) // a file that is gone mentions nothing
			text = string(data)
			s.scope.texts[path] = text
		}
		if mentions(text, name) {
			return fmt.Sprintf("%s mentions %s but %s", s.project.relative(path), name, s.scope.why[path])
		}
	}
	return ""
}

// mentions says whether text has name as a whole word.
func mentions(text, name string) bool {
	for at := 0; name != ""; {
		next := strings.Index(text[at:], name)
		if next < 0 {
			return false
		}
		start, end := at+next, at+next+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !wordRune(before) && !wordRune(after) {
			return true
		}
		at = end
	}
	return false
}

func wordRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// wordAt is the identifier that starts at or surrounds a byte offset of line.
func wordAt(line string, offset int) string {
	if offset < 0 || offset > len(line) {
		return ""
	}
	for offset < len(line) && !utf8.RuneStart(line[offset]) && offset > 0 {
		offset--
	}
	notWord := func(r rune) bool { return !wordRune(r) }
	start := strings.LastIndexFunc(line[:offset], notWord) + 1
	if start > 0 {
		_, size := utf8.DecodeRuneInString(line[start-1:])
		start += size - 1
	}
	end := strings.IndexFunc(line[offset:], notWord)
	if end < 0 {
		return line[start:]
	}
	return line[start : offset+end]
}
