package clang

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// served returns the changed files that need not be read for the index of files: units that nobody includes, that are the same up to
// their last #include, and that are open. What the server finds in such a document comes before the index of the file, also
// when it is closed again. It has looked into the text when it publishes its diagnostics; documentSymbol alone may be
// answered from an earlier preamble. There is no record of these files, so that the next session reads them.
//
// One with errors is read by the index as well, which says whether it lacks something for them.
func (x *index) served(ctx context.Context, s *session.Session, before plan, known map[string]source, others []string) ([]string, error) {
	if before.commands == nil || before.config != x.plan.config {
		return nil, nil
	}
	var served []string
	for _, path := range others {
		then, was := known[path]
		if !was || then.head != x.sources[path].head || !before.includesAlike(x.sources[path], then) {
			continue
		}
		if !isUnit(path) || x.failed[path] != "" || len(x.plan.includes.users([]string{path})) > 1 {
			continue
		}
		version, ok := holdsText(s, path, x.sources[path].sum)
		if !ok || !x.plan.commands[path].equal(x.sent[path]) {
			continue
		}
		looked, err := x.lookedInto(ctx, s, path, version)
		if err != nil {
			return nil, err
		}
		if looked && s.Progress.FirstError(path) == "" {
			served = append(served, path)
		}
	}
	return served, x.strike(served)
}

// strike leaves no record of what files are like.
func (x *index) strike(paths []string) error {
	struck := false
	for _, path := range paths {
		struck = struck || x.records[path] != ""
		x.records[path] = ""
	}
	if !struck {
		return nil
	}
	return x.store.record(x.records)
}

// publishing bounds the wait for diagnostics, which do not come of a document that is closed meanwhile.
const publishing = 2 * time.Second

// lookedInto waits until the server has published what it finds in a version of a document, and says whether it has.
func (x *index) lookedInto(ctx context.Context, s *session.Session, path string, version int32) (bool, error) {
	if err := s.AwaitParsed(ctx, path); err != nil { // or else clangd waits for more changes
		return false, err
	}
	late := time.NewTimer(publishing)
	defer late.Stop()
	for {
		x.mu.Lock()
		published, changed := x.published[path], x.publishes
		x.mu.Unlock()
		if published == version {
			return true, nil
		}
		select {
		case <-changed:
		case <-late.C:
			return false, nil
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// A fault is why the server may lack uses in a document.
type fault struct {
	message string
	name    string // the only one that it is about; "": any
}

// hearPublished takes note of the version of a document that diagnostics are of, and of what is wrong with it.
func (x *index) hearPublished(params []byte) {
	var message struct {
		URI         uri.URI      `json:"uri"`
		Version     int32        `json:"version"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	path := text.Path(message.URI)
	x.published[path] = message.Version
	if message.Version > 0 { // there is none when a document is closed, which does not make what was found in it better
		delete(x.faults, path)
	}
	for _, d := range message.Diagnostics {
		if fault, ok := d.fault(); ok && len(x.faults[path]) < session.ProblemsPerFile {
			x.faults[path] = append(x.faults[path], fault)
		}
	}
	close(x.publishes)
	x.publishes = make(chan struct{})
}

type diagnostic struct {
	Code     any                         `json:"code"`
	Severity protocol.DiagnosticSeverity `json:"severity"`
	Message  string                      `json:"message"`
}

// fault returns what the diagnostic says of the document; false if nothing.
func (d diagnostic) fault() (fault, bool) {
	fault := fault{message: session.WithoutNotes(d.Message)}
	if d.Code == "-Wimplicit-function-declaration" { // a warning in C: the call is of another function than the one meant
		_, fault.name, _ = strings.Cut(fault.message, "'")
		fault.name, _, _ = strings.Cut(fault.name, "'")
		return fault, true
	}
	// The other is of the command that makes the server forget a file.
	return fault, d.Severity == protocol.DiagnosticSeverityError && d.Code != "drv_unknown_language" && d.Code != "fe_expected_compiler_job"
}

// faulty returns which document that does not compile mentions a name. What the server finds in a document comes
// before what the index has of the file: of a header that only compiles in its place, too little, and of a list nothing.
func faulty(s *session.Session, name string) string {
	x := s.Own.(*index)
	x.mu.Lock()
	faults, sources := maps.Clone(x.faults), x.sources
	x.mu.Unlock()
	for path, source := range sources { // the server may have forgotten what they make before it tells of their faults
		if source.pure && s.IsOpen(path) && x.isList(path) && x.listed().makes(name, path) {
			return openedAlone(s, path, name)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(faults)) {
		of := slices.IndexFunc(faults[path], func(f fault) bool { return f.name == "" || f.name == name })
		if of < 0 {
			continue
		}
		if sources[path].pure && x.listed().makes(name, path) {
			return openedAlone(s, path, name)
		}
		if data, err := os.ReadFile(path); err == nil && text.Mentions(string(data), name) {
			return fmt.Sprintf("%s mentions %s but does not compile by itself: %s", s.Host.Relative(path), name, faults[path][of].message)
		}
	}
	return ""
}

func openedAlone(s *session.Session, list, name string) string {
	return fmt.Sprintf("%s was opened by itself, since when clangd does not know that macros make %s of it", s.Host.Relative(list), name)
}

// holdsText reports whether a document is open with the text of the disk, which has this sum, and in which version.
func holdsText(s *session.Session, path string, sum uint64) (version int32, ok bool) {
	held, ok := s.Documents.Version(path, nil)
	return held.Number, ok && !held.Overlaid && checksum(held.Text) == sum
}

// without returns the files but for some.
func without(files, some []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(path string) bool { return slices.Contains(some, path) })
}
