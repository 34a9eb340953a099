// Package serve puts the daemon of a project together: it joins language servers, tools, hooks, questions, the state
// of the work and the rest to the socket, one file for each.
//
// Run owns everything that it makes and ends it in reverse order. The parts do not know each other: what joins two of them is
// here.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"tidepool/controlserver/internal/questions"
	"tidepool/internal/activity"
	"tidepool/internal/config"
	"tidepool/internal/daemon"
	"tidepool/internal/hook"
	"tidepool/internal/logging"
	"tidepool/internal/loopback"
	"tidepool/internal/memory"
	"tidepool/internal/server"
	"tidepool/internal/state"
	"tidepool/internal/wording"
	"tidepool/internal/work"
	"tidepool/lsp"
	"tidepool/protocol"
)

const (
	closeTimeout   = 5 * time.Second // how long language servers may take to end before they are killed
	hurriedTimeout = time.Second     // how long calls may take to notice that they were cancelled
)

// Options configures Run.
type Options struct {
	Place    protocol.Place
	Flags    map[string]string // what the command line says of settings, by key; "" says nothing
	Detached bool              // serve as agent starts a daemon: leave when nobody has needed it for server.idle_timeout, or for another build
	Version  string            // of this program
	Commit   string            // that it was built from; "" if unknown
	Out      io.Writer         // told that the daemon answers, unless Detached
	Err      *os.File          // gets the log if it is a terminal; its lock tells who waits for a detached daemon that it answers
}

// Run becomes the project's daemon, serves until the first signal or until nobody needs it, and ends everything that it made. It
// is no error if another daemon runs.
func Run(signals Signals, o Options) error {
	memory.CollectEarly()
	trustee := newTrustState()
	environment := os.Environ() // the language servers have a PATH of their own
	if err := trustee.cleanPath(o.Place.Project); err != nil {
		return err
	}
	settings, err := LoadConfig(o.Place, o.Flags)
	if err != nil {
		return err
	}
	if err := shedEnvironment(environment, settings.EnvironmentPass); err != nil {
		return err
	}
	options := daemon.Options{StateDir: state.Of(o.Place.Project), Socket: o.Place.Socket, Version: o.Version}
	if o.Detached {
		options.Wait = patienceForOwner
	}
	claimed, err := daemon.Claim(signals.Quit, options)
	if running, ok := errors.AsType[*daemon.AlreadyRunning](err); ok {
		_, err := fmt.Fprintln(o.Err, running)
		return err
	}
	if err != nil {
		return err
	}
	err = o.serve(signals, claimed, settings, environment, trustee)
	return errors.Join(err, claimed.Close())
}

// serve makes the parts, from the logger to the socket, and ends them in reverse order.
func (o Options) serve(signals Signals, claimed *daemon.Daemon, settings *config.Config, environment []string, trustee trustState) (err error) {
	place := o.Place
	log, logFile, err := openLog(place, settings.Log, o.Err)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, logFile.Close()) }()

	table := Languages(lsp.Languages(), settings.Languages)
	sent := new(activity.Messages)
	lspOptions := projectOptions(place, settings, table, log, noteServers(sent))
	budget := memoryBudget(signals.Quit, settings.Memory, log)
	lspOptions.Trust, lspOptions.Env, lspOptions.MemoryBudget = trustee, environment, budget.Bytes
	analyser, err := newAnalysis(place, budget.Bytes)
	if err != nil {
		return err
	}
	defer analyser.Close()
	lspOptions.GiveWay = analyser.GiveWay
	project, err := lsp.Open(lspOptions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeProject(signals, project)) }()

	judge := NewJudge(settings.Scout, callsFile(place, settings.Scout))
	defer func() { err = errors.Join(err, judge.Close()) }()
	parts := parts{
		version: o.Version, commit: o.Commit, place: place, settings: settings, languages: table, project: project, judge: judge, log: log, logFile: logFile, sent: sent,
		questionStore: questions.OpenStore(place.Project, log), work: newWork(place, settings.Work, trustee.Trusted),
		coverage: newCoverage(place, settings.Scout, trustee.mayMeasure), analysis: analyser, trustee: trustee, budget: budget, environment: environment,
	}
	defer closeCoverage(parts.coverage)
	parts.closing = newTurnSync(parts.work, settings.Work)
	defer parts.closing.Close()
	parts.notifier = questions.NewNotifier(settings.Questions.Notify, log)
	defer parts.notifier.Close()
	parts.said = openConversations(signals.Quit, place, settings.Conversations, log)
	defer parts.said.close()
	parts.memories = newMemories(place, settings, log)
	defer parts.memories.close(signals)
	if parts.secrets, err = newSecrets(place, settings.Scrub, log); err != nil {
		return err
	}
	defer parts.secrets.close(signals)
	parts.execution = newExecution(place, settings, environment, parts.secrets, log)
	defer func() { err = errors.Join(err, parts.execution.close()) }()
	parts.code = parts.newCode()
	parts.searchNotes = parts.newSearchNotes()
	defer parts.searchNotes.Close()
	assembled, err := parts.assemble()
	if err != nil {
		return err
	}
	parts.programs.Resume()
	defer parts.programs.Close()
	defer closeHooks(signals, assembled.hooks)
	defer assembled.mcp.Close()
	defer assembled.reloader.follow(signals.Reread, trustee, parts.retrust)()
	return o.answer(signals, claimed, &parts, assembled)
}

// newTurnSync returns a TurnSync that has begun to look for its programs.
func newTurnSync(of *work.Work, settings config.Work) *work.TurnSync {
	s := work.NewTurnSync(of, settings.StopTimeout)
	s.Begin()
	return s
}

// answer opens the port that was asked for, tells whoever started the daemon that it answers, and serves until it exits.
func (o Options) answer(signals Signals, claimed *daemon.Daemon, p *parts, assembled *assembled) (err error) {
	logRefused(p.log, p.settings)
	lifecycle := o.lifecycle(signals, claimed, p.settings, assembled.options, p.log)
	if lifecycle.port, err = o.openPort(p.settings.Server.HTTP, p.log); err != nil {
		return err
	}
	if lifecycle.port != nil {
		defer func() { err = errors.Join(err, lifecycle.port.Close()) }()
	}
	lifecycle.api = assembled.api
	if err := o.announce(lifecycle.port); err != nil {
		return err
	}
	p.log.Info("serving", "socket", claimed.Socket(), "pid", os.Getpid(), "version", o.Version, "commit", o.Commit, "scorer", p.judge.scorer.Name())
	return lifecycle.serve()
}

// logRefused logs the settings that do not count.
func logRefused(log *slog.Logger, settings *config.Config) {
	for _, refused := range settings.Refused {
		log.Warn("setting refused", "err", refused, "hint", refused.Hint())
	}
}

// projectOptions returns how the language servers run.
func projectOptions(place protocol.Place, settings *config.Config, table []lsp.Language, log *slog.Logger, note func(lsp.Event)) lsp.Options {
	return lsp.Options{
		Root:         place.Project,
		Languages:    table,
		ReadyBudget:  settings.ReadyBudget,
		ProcessLimit: settings.LanguageProcessLimit,
		IdleTimeout:  settings.LanguageIdleTimeout,
		DraftIdle:    settings.LanguageDraftIdleTimeout,
		MemoryLimit:  int64(settings.LanguageMemoryLimitMB) << 20,
		Ledger:       ledgerPath(place),
		Events: func(e lsp.Event) {
			log.Info("language server", "language", e.Language, "tree", e.Tree, "drafts", e.Drafts, "what", e.What)
			note(e)
		},
	}
}

// lifecycle returns when a daemon with these settings exits. Only one that a client has started exits by itself.
func (o Options) lifecycle(signals Signals, claimed *daemon.Daemon, settings *config.Config, options server.Options, log *slog.Logger) *lifecycle {
	l := &lifecycle{signals: signals, claimed: claimed, drain: options.DrainTimeout, log: log}
	l.handover = newHandover(claimed, o.Detached, log)
	options.Yield = l.handover.Yield
	if o.Detached || o.Flags["server.idle_timeout"] != "" {
		l.idle = settings.Server.IdleTimeout
	}
	l.server = server.New(options)
	return l
}

// openPort opens the port of the settings; nil: they name none. A daemon that a client has started must serve its hooks: it goes on without
// the port, and its log says why.
func (o Options) openPort(address string, log *slog.Logger) (*loopback.Port, error) {
	port, err := loopback.Open(state.Of(o.Place.Project), address)
	switch {
	case err != nil && o.Detached:
		log.Error("no port is open", "err", err, "hint", wording.HintOf(err))
		return nil, nil
	case port != nil:
		log.Info("port open", "url", port.URL())
	}
	return port, err
}

// announce tells whoever started the daemon that it answers.
func (o Options) announce(port *loopback.Port) error {
	if o.Detached {
		return started(o.Err)
	}
	_, err := fmt.Fprintf(o.Out, "serving %s (pid %d)\n", logging.Escape(o.Place.Project), os.Getpid())
	if port != nil {
		_, failed := fmt.Fprintf(o.Out, "HTTP and MCP: %s\n", port.Record().Address())
		err = errors.Join(err, failed)
	}
	return err
}

// shutdown lets calls in flight finish until drain is over or the second signal comes. Then it cancels them and waits a moment
// for their end.
func shutdown(signals Signals, s *server.Server, drain time.Duration) error {
	ctx, cancel := context.WithTimeout(signals.Hurry, drain+hurriedTimeout)
	defer cancel()
	if s.Shutdown(ctx) == nil {
		return nil
	}
	ctx, cancel = context.WithTimeout(context.Background(), hurriedTimeout)
	defer cancel()
	return s.Shutdown(ctx)
}

// closeHooks waits for late contributors to hooks, at most until the second signal.
func closeHooks(signals Signals, hooks *hook.Router) {
	ctx, cancel := context.WithTimeout(signals.Hurry, hurriedTimeout)
	defer cancel()
	hooks.Close(ctx)
}

// closeProject ends the language servers, and waits for them at most until the second signal.
func closeProject(signals Signals, project *lsp.Project) error {
	ctx, cancel := context.WithTimeout(signals.Hurry, closeTimeout)
	defer cancel()
	return project.Close(ctx)
}

// openLog opens the log file, and the terminal if the daemon was started at one.
func openLog(place protocol.Place, settings config.Log, terminal *os.File) (*slog.Logger, *logging.File, error) {
	options := logging.Options{File: LogPath(place), MaxSizeMB: settings.MaxSizeMB, MaxFiles: settings.MaxFiles}
	if err := options.Level.UnmarshalText([]byte(settings.Level)); err != nil {
		return nil, nil, err
	}
	if logging.IsTerminal(terminal) {
		options.Terminal = terminal
	}
	return logging.Open(options)
}

// LogPath returns the log file of a daemon of that place.
func LogPath(place protocol.Place) string {
	return filepath.Join(state.Of(place.Project), "logs", "controlserver.log")
}

// ledgerPath returns where a daemon of that place keeps which language servers it has started; "" on Linux, where they end
// with it, however it ends.
func ledgerPath(place protocol.Place) string {
	if runtime.GOOS == "linux" {
		return ""
	}
	return filepath.Join(state.Of(place.Project), "servers.json")
}
