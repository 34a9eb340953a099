package clang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"time"
)

// Many commands the server gets from a file. clangd 14 to 19 looks into each one that it is told by itself: it loads what it has kept of
// the source and of its headers, and then builds the index of all that it has, 13 ms for each megabyte that is kept. For the 1,429 units
// of ngspice, 21 MB, that were four minutes of a second start, and five after a change of a header that all include. The commands of a
// file it takes all at once, in 2 s; but it may look at the file seconds later, unless it has just started.
const (
	manyFiles   = 100       // for a new server
	muchLoading = 150 << 20 // bytes that are kept, times files, for one that runs: 2 s
	lateLoading = 600 << 20 // the same for one that may have looked at the file within databaseTrust, so that load waits for it: 8 s
)

// clangd reads a file of commands again after 5 s; databaseTrust is a little more. load tries every databaseLook until then.
const (
	databaseTrust = 5500 * time.Millisecond
	databaseLook  = 500 * time.Millisecond
)

// load is send by the file of commands.
func (r rereading) load(ctx context.Context, others map[string]compileCommand) error {
	heeded, err := r.tryLoad(ctx, others)
	if err != nil || heeded {
		return err
	}
	return r.send(ctx, others) // an argument of the user's may keep it from reading the file
}

// tryLoad gives commands by the file of commands, and reports whether the server has read it in time. If it has not, the file says what it said
// before.
func (r rereading) tryLoad(ctx context.Context, others map[string]compileCommand) (heeded bool, err error) {
	all, _ := r.split(r.plan.commands)
	maps.Copy(all, others)
	told := some(others, r.configured())
	if err := r.send(ctx, told); err != nil { // they come before those of the file
		return false, err
	}
	if err := r.store.writeCommands(all); err != nil {
		return false, err
	}
	heeded, err = r.heedsSoon(ctx, len(all))
	if err != nil && !errors.Is(err, errSilent) {
		return false, err
	}
	if !heeded { // nor may it read them later: it would load what is kept meanwhile
		return false, r.store.writeCommands(r.filed)
	}
	r.filed = all
	maps.Copy(r.sent, others)
	r.know()
	return true, idle(ctx, r.session)
}

// heedsSoon calls heeds until the server takes up the commands, for databaseTrust at the most. A question about a document may have made the
// server read the file a moment ago. A call before that time is over does not make it longer.
func (r rereading) heedsSoon(ctx context.Context, commands int) (heeded bool, err error) {
	heeded, err = r.heeds(ctx, commands)
	for waited := time.Duration(0); err == nil && !heeded && waited < databaseTrust; waited += databaseLook {
		if err = outlast(ctx, databaseLook); err == nil {
			heeded, err = r.heeds(ctx, commands)
		}
	}
	return heeded, err
}

// heeds has the server look at the file of commands, which it does when it is told of a file that it was not told of before, and
// reports whether it takes up so many. There is no such file, so that nothing else comes of it.
func (r rereading) heeds(ctx context.Context, commands int) (bool, error) {
	r.round++
	taken, asked := fmt.Sprintf("Enqueueing %d commands for indexing", commands), fmt.Sprintf("tidepool/look-%d", r.round)
	log := r.session.WatchLog(func(line string) bool {
		return strings.Contains(line, taken) || strings.Contains(line, looked) || marks(line, asked)
	})
	defer log.Close()
	missing := filepath.Join(r.store.sources(), fmt.Sprintf("%s%d.c", missingName, r.round))
	err := r.configure(r.session, map[string]compileCommand{missing: {Dir: r.root, Args: []string{"clang", missing}}})
	if err == nil {
		err = mark(ctx, r.session, asked)
	}
	if err != nil {
		return false, err
	}
	soon, cancel := context.WithTimeoutCause(ctx, r.lag, errSilent)
	defer cancel()
	for sees := false; ; {
		line, ok := log.Next(soon)
		switch {
		case !ok:
			return false, context.Cause(soon)
		case strings.Contains(line, taken):
			return true, nil
		case strings.Contains(line, looked):
			sees = true
		case !sees: // it has answered what came later
			return false, nil
		}
	}
}

// looked is the end of what the log says when the server has read a file of commands ("Loaded", or "Reloaded" when it is another than
// before), which it does before it takes the next message.
const looked = "oaded compilation database from "

// A databaseEntry is a command as a file of commands has it: https://clang.llvm.org/docs/JSONCompilationDatabase.html.
type databaseEntry struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
}

// writeCommands writes the file of commands.
func (d store) writeCommands(commands map[string]compileCommand) error {
	entries := make([]databaseEntry, 0, len(commands))
	for path, command := range commands {
		entries = append(entries, databaseEntry{command.Dir, path, command.Args})
	}
	data, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	return d.replace(filepath.Join(d.dir, "compile_commands.json"), data)
}
