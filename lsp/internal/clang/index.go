package clang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/internal/lexer"
	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// An index keeps the index of one clangd in step with the disk.
//
// Measured with clangd 14.0.6 and 19: nothing that a client says makes it look at a closed file again. It ignores
// didChangeWatchedFiles; a compile command that has changed makes it load the shard of that file from the disk and
// compare it with the file, but each file is compiled at most once in a process; and while it compiles it takes from
// each file only what has another text than when it was last taken in. So a file is read again by three steps: its
// shard is replaced by that of an empty file; its compile command is replaced by one that cannot work, so that this
// shard is loaded and nothing more; and a file that nobody has heard of, which includes it, gets a compile command.
// Gone is a file after the first two. It takes 5 ms besides compiling while the index is small;
// load.go is for where it is not.
//
// The index of a document that was ever open wins over that of the file, until it is opened again.
type index struct {
	root  string
	store store

	program string   // of the server
	system  []string // see systemDirs

	mu       sync.Mutex
	told     map[string]bool           // files that have changed since the last probe began
	moved    map[string]bool           // files that changed while they were read, or that were not read
	opened   map[string]bool           // files that were ever open, as documents
	knows    bool                      // the server has the commands of the units
	early    map[string]bool           // documents that were opened before it had
	sources  map[string]source         // by path, never changed once it is here
	looks    int                       // counts how often they were looked at
	parts    []part                    // units that others include
	by       map[string][]string       // who includes a file, see includes
	lists    *lists                    // what lists of macros make; nil: it must be found out
	left     map[string]string         // by name: why an answer about it may lack something
	assigned map[string]compileCommand // by path: what the server gets when it opens a file
	given    map[string]bool           // by path: the server was told a command

	published map[string]int32   // by path: the version of a document that the last diagnostics are of
	publishes chan struct{}      // closed and replaced when there are diagnostics
	faults    map[string][]fault // by path of a document: what was wrong when the server last looked into it

	// Of the probe, which is one goroutine.
	plan     plan
	sent     map[string]compileCommand // by path, as the server has them or is to; the zero one for files that it has dropped
	filed    map[string]compileCommand // by path: what the server has read in the file of commands
	records  map[string]string         // by path: what was read, see record; "" for what is not, or not as it is
	failed   map[string]string         // by path: why a file was read in part only
	failures map[string]failure        // by path: those of them that are kept
	written  map[string]string         // by path of a source of ours: what it includes
	markers  map[string]marker         // by path of a document
	round    int
	lag      time.Duration // see logLag
}

func environ(s *session.Session) ([]string, error) {
	store, err := openClangStore(s.Dir, s.Env)
	if err != nil {
		return nil, err
	}
	s.Own = &index{
		root: s.Dir, store: store, program: s.Path, system: systemDirs(s.Env),
		told: map[string]bool{}, opened: map[string]bool{}, early: map[string]bool{}, left: map[string]string{},
		sent: map[string]compileCommand{}, assigned: map[string]compileCommand{}, given: map[string]bool{}, failed: map[string]string{}, written: map[string]string{}, markers: map[string]marker{}, lag: logLag,
		published: map[string]int32{}, publishes: make(chan struct{}), faults: map[string][]fault{},
	}
	s.Documents.LeaveClosed(func(path string) bool { return s.Own.(*index).isList(path) })
	s.Documents.BeforeOpen(s.Own.(*index).hand)
	return append(store.environ(s.Env, workers(&s.Launch, runtime.NumCPU())), arenas(s.Env, runtime.NumCPU())...), nil
}

// hear takes note of the documents that the server looks into.
func hear(s *session.Session, method string, params []byte) {
	if method == protocol.MethodTextDocumentPublishDiagnostics {
		s.Own.(*index).hearPublished(params)
	}
	if method != "textDocument/clangd.fileStatus" {
		return
	}
	var message struct {
		URI uri.URI `json:"uri"`
	}
	if json.Unmarshal(params, &message) != nil {
		return
	}
	index := s.Own.(*index)
	index.mu.Lock()
	defer index.mu.Unlock()
	index.opened[text.Path(message.URI)] = true
}

// look reads what has changed on the disk and returns the files that are others than before: changed, new, gone. Those
// that the server holds open count as others if they have been written: it may have looked into what was there between.
func (x *index) look(paths []string, holds func(path string) bool) (sources map[string]source, others []string) {
	x.mu.Lock()
	told, moved, before := x.told, x.moved, x.sources
	x.told, x.moved = map[string]bool{}, nil
	x.mu.Unlock()
	sources = make(map[string]source, len(paths))
	for _, path := range paths {
		known, ok := before[path]
		if ok && !told[path] && !moved[path] {
			sources[path] = known
			continue
		}
		read, err := look(path)
		if err != nil || read.foreign {
			continue // gone since the walk, or not C
		}
		sources[path] = read
		if !ok || read.sum != known.sum || moved[path] || holds(path) {
			others = append(others, path)
		}
	}
	for path := range before {
		if _, ok := sources[path]; !ok {
			others = append(others, path)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sources = sources
	if len(others) > 0 {
		x.lists = nil
	}
	x.looks++
	clear(x.left)
	return sources, others
}

// look reads a file.
func look(path string) (source, error) {
	written, looked := modified(path), time.Now()
	data, err := os.ReadFile(path)
	if err != nil {
		return source{}, err
	}
	source := read(string(data))
	source.pure = source.lists && !isUnit(path) && len(data) <= maxList && pure(lexer.Parse(path, data).AsC())
	source.foreign = filepath.Ext(path) == ".def" && exports(string(data))
	source.sum, source.written, source.looked = checksum(string(data)), written, looked
	if info, err := os.Lstat(path); err == nil {
		source.link = info.Mode()&fs.ModeSymlink != 0
	}
	return source, nil
}

// steady reports whether the files that were just read, with what they include, have been all the time what we had looked
// at: only then the index is of these. Files that have not are for the next probe.
func (x *index) steady(read []string) bool {
	moved := map[string]bool{}
	for path := range reach(x.plan.includes.of, read, nil) {
		source := x.sources[path]
		now := modified(path)
		switch {
		case !now.Equal(source.written):
			moved[path] = true
		case source.looked.Sub(now) < disk.RacyWindow:
			data, _ := os.ReadFile(path)
			moved[path] = checksum(string(data)) != source.sum
		}
	}
	maps.DeleteFunc(moved, func(_ string, is bool) bool { return !is })
	x.owe(moved)
	return len(moved) == 0
}

// owe says which files the next probe must take for others than before.
func (x *index) owe(files map[string]bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.moved = files
}

// configTrust is how long clangd believes what it has read of .clangd, with a little more: 5 s.
const configTrust = 5500 * time.Millisecond

func outlast(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// probe brings the index in step with the disk.
func (x *index) probe(ctx context.Context, s *session.Session) (session.Coverage, error) {
	before, known := x.plan, x.read()
	sources, others := x.look(s.Host.Sources(), s.IsOpen)
	if links := s.Host.Links(); !x.plan.holds(sources, others, links) {
		x.plan = newPlan(x.root, s.Folders(), sources, links)
		x.divide(x.plan.includes, sources)
	}
	if before.commands != nil && before.config != x.plan.config {
		if err := outlast(ctx, configTrust); err != nil {
			return session.Coverage{}, err
		}
	}
	turned := x.plan.turned(before)
	served, err := x.served(ctx, s, before, known, without(others, turned))
	others = append(others, turned...)
	changed := without(others, served)
	r := rereading{index: x, session: s, before: known, changed: changed, stale: x.stale(before, changed), gone: x.gone()}
	if first := before.commands == nil; err == nil && (first || len(r.stale)+len(r.gone) > 0) {
		err = r.run(ctx, first)
	}
	if err != nil {
		owed := r.known()
		for _, path := range others {
			owed[path] = true
		}
		x.owe(owed) // the next probe may find no other reason to read them
		return session.Coverage{}, err
	}
	if !x.steady(slices.Concat(served, slices.Collect(maps.Keys(r.stale)))) {
		s.Progress.ProbeAgain()
		return session.Coverage{}, x.plan.unreadable
	}
	if err := x.keep(r.stale); err != nil {
		return session.Coverage{}, err
	}
	return session.Coverage{Outside: x.outside()}, x.plan.unreadable
}

// divide takes note of what others include.
func (x *index) divide(g includes, sources map[string]source) {
	parts := g.parts(sources)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.parts, x.by, x.lists = parts, g.by, nil
}

// keep records what files were like that were read.
func (x *index) keep(read map[string]bool) error {
	if len(read) == 0 {
		return nil
	}
	for path := range read {
		if x.failed[path] == "" {
			x.records[path] = x.record(path)
		}
	}
	if err := errors.Join(x.store.record(x.records), x.keepFailures(read)); err != nil {
		return fmt.Errorf("keeping note of what clangd has read: %w", err)
	}
	return nil
}

// stale returns the files that clangd must read again. A new one knows what is on the disk of its index; one that runs knows
// what it was told to read.
func (x *index) stale(before plan, others []string) map[string]bool {
	stale := map[string]bool{}
	if before.commands == nil {
		x.records, x.failures = x.store.records(), x.store.failures()
		x.clean()
		around, now := x.surroundings(), time.Now()
		for path := range x.plan.commands {
			record := x.record(path)
			if failure := x.failures[path]; failure.Record != "" && failure.holds(record, around.sum(x.plan, path), now) {
				x.failed[path] = failure.Why
			} else if x.records[path] != record {
				stale[path] = true
			}
		}
		return stale
	}
	maps.Copy(stale, before.includes.users(others)) // of what is gone, or was hidden by what is new
	maps.Copy(stale, x.plan.includes.users(others))
	for path, command := range x.plan.commands {
		if !command.equal(x.sent[path]) || before.config != x.plan.config {
			stale[path] = true
		}
	}
	return stale
}

// clean removes what the store has of files that are gone since an earlier session. What it has of other headers, such
// as the system's, stays: it is what the files that there are include or once included.
func (x *index) clean() {
	gone := map[string]bool{}
	for path := range x.records {
		if _, there := x.plan.commands[path]; !there {
			gone[filepath.Base(path)] = true
			delete(x.records, path)
			delete(x.failures, path)
		}
	}
	for path := range x.plan.commands {
		delete(gone, filepath.Base(path))
	}
	x.store.remove(func(source string) bool { return gone[source] })
}

// record sums up what reading a file depends on.
func (x *index) record(path string) string {
	command := x.plan.commands[path]
	sum := checksum(fmt.Sprintf("%q %q %s", command.Dir, command.Args, x.plan.config))
	for file := range x.plan.includes.closure(path) {
		sum += checksum(file) ^ (x.sources[file].sum + x.plan.ways[file])
	}
	return fmt.Sprintf("%016x", sum)
}

// outside returns which files were not read, or in part only. Headers share the lot of those who include them.
func (x *index) outside() func(string) string {
	why := maps.Clone(x.failed)
	for path, source := range x.sources {
		reason := ""
		if len(x.failed) > 0 {
			reason = x.failing(path)
		}
		if source.link && reason == "" && why[path] == "" && x.included(path) {
			reason = "is a link to another file, and clangd does not keep what it includes by such a name"
		}
		if reason != "" {
			why[path] = reason
		}
	}
	return func(path string) string { return why[path] }
}

// included reports whether another file includes a header.
func (x *index) included(path string) bool {
	return !isUnit(path) && len(x.plan.includes.users([]string{path})) > 1
}

// failing returns the reason why none of the units that include a header compiles, "" if one does or there is none.
func (x *index) failing(header string) string {
	if isUnit(header) {
		return ""
	}
	last := ""
	for user := range x.plan.includes.users([]string{header}) {
		if !isUnit(user) {
			continue
		}
		if x.failed[user] == "" {
			return ""
		}
		last = user
	}
	if last == "" {
		return ""
	}
	return "what includes it does not compile: " + filepath.Base(last) + " " + x.failed[last]
}

// gone returns the files that the server still knows.
func (x *index) gone() map[string]bool {
	gone := map[string]bool{}
	for path, command := range x.sent {
		if _, there := x.plan.commands[path]; !there && command.Args != nil && x.written[path] == "" && path != x.store.blankSource() {
			gone[path] = true
		}
	}
	return gone
}
