package clang

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"tidepool/lsp/internal/session"
)

// A rereading makes a clangd read files that have changed, and what includes them.
// Goroutines: up to reopened of reopen, which waits for them.
type rereading struct {
	*index
	session *session.Session
	before  map[string]source // what was last read of the sources
	changed []string          // files that are others than before
	stale   map[string]bool   // to be read again
	gone    map[string]bool
}

// run does so, and takes note of what did not compile. Should it not come to the end there is no record of these
// files, so that the next session reads them.
func (r rereading) run(ctx context.Context, first bool) error {
	r.widen()
	known := r.known()
	for path := range known {
		r.records[path] = ""
		delete(r.failed, path)
		delete(r.failures, path)
	}
	for path := range r.gone {
		delete(r.records, path)
	}
	if err := errors.Join(r.store.record(r.records), r.store.keepFailures(r.failures)); err != nil {
		return fmt.Errorf("keeping note of what clangd is to read: %w", err)
	}
	r.round++
	begin, end := fmt.Sprintf("tidepool/begin-%d", r.round), fmt.Sprintf("tidepool/end-%d", r.round)
	failed, err := failures(ctx, r.session, begin, end, r.lag, func() error { return r.read(ctx, first) })
	if errors.Is(err, errSilent) {
		r.lag = silentLag
	}
	if err != nil {
		return err
	}
	return r.fail(ctx, failed)
}

func (r rereading) read(ctx context.Context, first bool) error {
	if first {
		early, err := r.start(ctx)
		if err != nil {
			return err
		}
		if err := r.settle(ctx); err != nil {
			return err
		}
		return r.reopen(ctx, maps.Keys(early), slices.Collect(maps.Keys(r.plan.commands)))
	}
	if err := r.again(ctx); err != nil {
		return err
	}
	return r.reopen(ctx, maps.Keys(r.known()), r.changed)
}

// widen adds the files that have the base name of one to be read again: their shards are blanked or removed with its.
func (r rereading) widen() {
	bases := baseNames(r.known())
	for path := range r.plan.commands {
		if bases[filepath.Base(path)] {
			r.stale[path] = true
		}
	}
	for path := range r.stale {
		if _, there := r.plan.commands[path]; !there {
			delete(r.stale, path)
		}
	}
}

// known returns the files to be read again or forgotten.
func (r rereading) known() map[string]bool {
	known := map[string]bool{}
	for path := range r.stale {
		known[path] = true
	}
	for path := range r.gone {
		known[path] = true
	}
	return known
}

func baseNames[V any](paths map[string]V) map[string]bool {
	bases := map[string]bool{}
	for path := range paths {
		bases[filepath.Base(path)] = true
	}
	return bases
}

// start gives a new server its commands in two steps: first those of all units, with those of the headers that an earlier session has read
// and that no unit includes, then those of the headers that the server has not read by then. It returns the files that may have been
// opened with another command than they have now: the units that were opened before the first step, and all headers.
func (r rereading) start(ctx context.Context) (early map[string]bool, err error) {
	bases := baseNames(r.stale)
	r.store.remove(func(source string) bool { return bases[source] })
	blank := r.store.blankSource()
	units, headers := r.split(r.plan.commands)
	units[blank] = compileCommand{Dir: r.root, Args: []string{"clang", blank}}
	first := r.strange(units, some(headers, r.kept()))
	maps.Copy(first, units)
	give := r.send
	if len(first) >= manyFiles {
		give = r.load
	}
	if err := give(ctx, first); err != nil {
		return nil, err
	}
	rest := r.strange(units, headers)
	maps.DeleteFunc(rest, func(path string, _ compileCommand) bool { _, had := first[path]; return had })
	if err := r.giving(rest)(ctx, rest); err != nil {
		return nil, err
	}
	if err := r.assign(headers); err != nil {
		return nil, err
	}
	r.doubt(r.plan.commands)
	r.mu.Lock()
	early = maps.Clone(r.early)
	r.mu.Unlock()
	for path := range headers {
		early[path] = true
	}
	return early, nil
}

// kept returns the files that the server has read in an earlier session as they are now.
func (r rereading) kept() map[string]bool {
	kept := map[string]bool{}
	for path := range r.plan.commands {
		kept[path] = !r.stale[path]
	}
	return kept
}

// giving returns how to give a running server commands.
func (r rereading) giving(commands map[string]compileCommand) func(context.Context, map[string]compileCommand) error {
	if len(commands) > 0 && int64(len(commands))*r.store.size() > lateLoading {
		return r.load
	}
	return r.send
}

// strange returns those of the headers that the server has not loaded with the units; all, if that is not known.
func (r rereading) strange(units, headers map[string]compileCommand) map[string]compileCommand {
	reached, err := r.store.reached(units)
	strange := maps.Clone(headers)
	maps.DeleteFunc(strange, func(path string, _ compileCommand) bool { return err == nil && reached[path] })
	return strange
}

// split returns the commands of units and of other files.
func (r rereading) split(commands map[string]compileCommand) (units, headers map[string]compileCommand) {
	units, headers = map[string]compileCommand{}, map[string]compileCommand{}
	for path, command := range commands {
		if isUnit(path) {
			units[path] = command
		} else {
			headers[path] = command
		}
	}
	return units, headers
}

// again has a running server read files again.
func (r rereading) again(ctx context.Context) error {
	if len(r.stale)+len(r.gone) == 0 {
		return nil
	}
	if err := r.forget(ctx); err != nil {
		return err
	}
	kept, err := r.drop(ctx)
	if err != nil {
		return err
	}
	stale := some(r.plan.commands, r.stale)
	units, headers := r.split(stale)
	for _, commands := range []map[string]compileCommand{units, headers} {
		if err := r.include(ctx, some(commands, r.store.unread(commands))); err != nil {
			return err
		}
	}
	r.doubt(stale)
	for path := range kept {
		r.sent[path] = stale[path]
		delete(stale, path)
	}
	if err := r.assign(stale); err != nil {
		return err
	}
	return r.settle(ctx)
}

// some returns the commands of chosen files.
func some(commands map[string]compileCommand, chosen map[string]bool) map[string]compileCommand {
	few := maps.Clone(commands)
	maps.DeleteFunc(few, func(path string, _ compileCommand) bool { return !chosen[path] })
	return few
}

// forget leaves nothing of the documents that are gone, as long as the server has commands with which it reads them.
func (r rereading) forget(ctx context.Context) error {
	for path := range r.gone {
		if !r.wasOpen(path) {
			continue
		}
		if err := r.session.ForgetDocument(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// drop makes the server forget files. It returns those whose commands still work; the others have one that cannot.
func (r rereading) drop(ctx context.Context) (kept map[string]compileCommand, err error) {
	known := r.known()
	if err := r.store.blank(baseNames(known)); err != nil {
		return nil, err
	}
	other := fmt.Sprintf("-Dtidepool_round=%d", r.round) // than the command before, which the server may still have
	useless := map[string]compileCommand{}
	for path := range known {
		useless[path] = compileCommand{Dir: r.root, Args: []string{"clang", "-x", "nothing", other}}
	}
	loaded := false
	if len(known) >= manyFiles && int64(len(known))*r.store.size() > muchLoading {
		kept = r.untold(other)
		commands := maps.Clone(useless)
		maps.Copy(commands, kept)
		if loaded, err = r.tryLoad(ctx, commands); err != nil {
			return nil, err
		}
	}
	if !loaded {
		kept = nil
		if err := r.send(ctx, useless); err != nil {
			return nil, err
		}
	}
	gone := baseNames(r.gone) // the server has no more use for what was written of them
	r.store.remove(func(source string) bool { return gone[source] })
	for path := range r.gone {
		r.sent[path] = compileCommand{}
	}
	return kept, nil
}

// untold returns the commands, with another flag, of the stale units that the server has from the file of commands alone. It loads all that
// is kept of the files in it before it compiles any. So these need no command that cannot work: what it has never compiled it compiles
// then, and a document of the others is opened without another command, for which it would build the index once more.
func (r rereading) untold(flag string) map[string]compileCommand {
	units, _ := r.split(some(r.plan.commands, r.stale))
	told := r.configured()
	for path, command := range units {
		if units[path] = command.with(path, path, flag); told[path] {
			delete(units, path)
		}
	}
	return units
}

// include has the server read, for every file, a source of ours that includes it.
func (r rereading) include(ctx context.Context, commands map[string]compileCommand) error {
	ours := map[string]compileCommand{}
	for path, command := range commands {
		made, err := r.store.again(len(r.written), path, r.languageOf(path))
		if err != nil {
			return err
		}
		r.written[made] = path
		ours[made] = command.with(path, made, "-x", r.languageOf(path))
	}
	return r.send(ctx, ours)
}

// languageOf returns the language of a source that includes a file, as compilers call it.
func (r rereading) languageOf(path string) string {
	command := r.plan.commands[path]
	header := slices.Contains(command.Args, header(true))
	if header || isUnit(path) && isCPP(path) {
		return "c++"
	}
	return "c"
}

// doubt takes note of files that should have been read and were not.
func (r rereading) doubt(paths map[string]compileCommand) {
	unread := r.store.unread(paths)
	for path := range paths {
		if unread[path] {
			r.failed[path] = notRead
		}
	}
}

// notRead is why a file counts as failed that was not even compiled.
const notRead = "was not read by clangd"

// send gives the server compile commands and waits until it has compiled what it wants to.
func (r rereading) send(ctx context.Context, commands map[string]compileCommand) error {
	if len(commands) == 0 {
		return nil
	}
	maps.Copy(r.sent, commands)
	if err := r.configure(r.session, commands); err != nil {
		return err
	}
	r.know()
	return idle(ctx, r.session)
}

// reopen makes the server look again into those files that were ever open as documents. It answers a question about a
// document only after it has, which didChange alone does not bring about if only an included file has changed. After the
// start these are what questions have opened before there was a command for it: a header of C is taken for one of C++,
// whose functions are others, and both are kept.
//
// The headers of such documents count as the documents saw them, too: clangd 14 reads them with the document, and later versions
// some time after it has answered. What is open itself comes before that, so the changed ones are opened.
func (r rereading) reopen(ctx context.Context, paths iter.Seq[string], changed []string) error {
	var open []string
	for path := range paths {
		if r.reopens(path) {
			open = append(open, path)
		}
	}
	seen := reach(r.plan.includes.of, open, nil)
	for _, path := range changed {
		if seen[path] && !slices.Contains(open, path) {
			open = append(open, path)
		}
	}
	var marked []string
	for _, path := range open {
		if _, there := r.plan.commands[path]; there && r.includesOthers(path) && !apart(r.session, path) {
			marked = append(marked, path)
			if err := r.mark(path); err != nil {
				return err
			}
		}
	}
	group, looking := errgroup.WithContext(ctx)
	group.SetLimit(reopened)
	for _, path := range open {
		group.Go(func() error { return r.session.Reopen(looking, path) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, path := range marked {
		found, err := r.markers[path].found(ctx, r.session)
		if err != nil {
			return err
		}
		if !found {
			r.failed[path] = notTakenIn
		}
	}
	return nil
}

// reopens reports whether a document is looked into again once its file has been read again.
func (r rereading) reopens(path string) bool { return r.wasOpen(path) || r.session.IsOpen(path) }

// reopened is how many documents are opened at a time: far fewer than the server holds open for us.
const reopened = 4

func (x *index) wasOpen(path string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.opened[path]
}

// fail takes note of files that did not compile, and of the first error of some.
func (r rereading) fail(ctx context.Context, paths []string) error {
	for i, path := range paths {
		if of, ours := r.written[path]; ours {
			path = of
		}
		if r.failed[path] != "" {
			continue
		}
		r.failed[path] = "does not compile"
		if i >= explained {
			continue
		}
		if err := r.session.Reopen(ctx, path); err != nil {
			return err
		}
		if first := r.session.Progress.FirstError(path); first != "" {
			r.failed[path] += ": " + strings.TrimSuffix(first, " (fix available)")
		}
	}
	return nil
}

// explained is how many files that do not compile are opened to learn why.
const explained = 8
