package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/daemon"
	"tidepool/internal/logging"
	"tidepool/internal/server"
	"tidepool/internal/work"
	"tidepool/lsp"
	"tidepool/protocol"
)

const (
	closeTimeout   = 5 * time.Second // how long language servers may take to end before they are killed
	hurriedTimeout = time.Second     // how long calls may take to notice that they were cancelled
)

type serveCommand struct {
	Scorer      string `help:"Who rates what scout finds: ollama or heuristic." placeholder:"NAME" enum:",ollama,heuristic" default:""`
	Record      bool   `help:"Keep what scorers can be trained with in .tidepool/training."`
	LogLevel    string `help:"The least level that is logged: debug, info, warn or error." placeholder:"LEVEL" enum:",debug,info,warn,error" default:""`
	IdleTimeout string `help:"Leave when nobody has needed the daemon for so long. Default: stay." placeholder:"DURATION"`
	Detached    bool   `help:"Serve as agent starts a daemon: leave when nobody has needed it for server.idle_timeout, or for another build." hidden:""`
}

// Run is the daemon's life: become the project's daemon, serve until the first signal or until nobody needs it, put
// everything away. That another one is running is what was wanted, too.
func (c *serveCommand) Run(life lifetime, place protocol.Place, std stdio) error {
	flags := map[string]string{"scout.scorer": c.Scorer, "log.level": c.LogLevel, "server.idle_timeout": c.IdleTimeout}
	if c.Record {
		flags["scout.record"] = "true"
	}
	trustee := newTrustee()
	environment := os.Environ() // the language servers have a PATH of their own
	if err := trustee.cleanPath(place.Project); err != nil {
		return err
	}
	settings, err := loadConfig(place, flags)
	if err != nil {
		return err
	}
	if err := shedEnvironment(environment, settings.EnvironmentPass); err != nil {
		return err
	}
	options := daemon.Options{StateDir: stateDir(place), Socket: place.Socket, Version: version}
	if c.Detached {
		options.Patience = patienceForOwner
	}
	claimed, err := daemon.Claim(life.quit, options)
	if running, ok := errors.AsType[*daemon.AlreadyRunning](err); ok {
		_, err := fmt.Fprintln(std.err, running)
		return err
	}
	if err != nil {
		return err
	}
	err = c.serve(life, claimed, place, settings, environment, trustee, std)
	return errors.Join(err, claimed.Close())
}

// serve puts the parts together, from the logger to the socket, and takes them apart in reverse.
func (c *serveCommand) serve(
	life lifetime, claimed *daemon.Daemon, place protocol.Place, settings *config.Config, environment []string, trustee trustee, std stdio,
) (err error) {
	log, logFile, err := openLog(place, settings.Log, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, logFile.Close()) }()

	table := languages(lsp.Languages(), settings.Languages)
	lspOptions := projectOptions(place, settings, table, log)
	lspOptions.Trust, lspOptions.Env = trustee, environment
	project, err := lsp.Open(lspOptions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeProject(life, project)) }()

	judge := newJudge(settings.Scout, callsFile(place, settings.Scout))
	defer func() { err = errors.Join(err, judge.Close()) }()
	parts := parts{
		place: place, settings: settings, languages: table, project: project, judge: judge, log: log, logFile: logFile,
		board: openBoard(place, log), work: newWork(place, settings.Work, trustee.Trusted),
		coverage: newCoverage(place, settings.Scout, trustee.mayMeasure), trustee: trustee,
	}
	defer closeCoverage(parts.coverage)
	parts.closing = work.NewClosing(parts.work, settings.Work.StopTimeout)
	defer parts.closing.Close()
	parts.closing.Begin()
	parts.notifier = newNotifier(settings.Questions.Notify, log)
	defer parts.notifier.close()
	options, err := parts.assemble()
	if err != nil {
		return err
	}
	defer parts.reloader.follow(life.reread)()
	logRefused(log, settings)
	t := c.tenure(life, claimed, settings, options, log)
	if err := c.announce(place, std); err != nil {
		return err
	}
	log.Info("serving", "socket", claimed.Socket(), "pid", os.Getpid(), "version", version, "scorer", judge.scorer.Name())
	return t.serve()
}

// logRefused logs the settings that do not count.
func logRefused(log *slog.Logger, settings *config.Config) {
	for _, refused := range settings.Refused {
		log.Warn("setting refused", "err", refused, "hint", refused.Hint())
	}
}

// projectOptions are how the language servers run.
func projectOptions(place protocol.Place, settings *config.Config, table []lsp.Language, log *slog.Logger) lsp.Options {
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
		},
	}
}

// tenure says when a daemon with these settings leaves. Only one that was started by a client does so unasked.
func (c *serveCommand) tenure(
	life lifetime, claimed *daemon.Daemon, settings *config.Config, options server.Options, log *slog.Logger,
) *tenure {
	t := &tenure{life: life, claimed: claimed, drain: options.DrainTimeout, log: log}
	t.yielder = newYielder(claimed, c.Detached, log)
	options.Yield = t.yielder.Yield
	if c.Detached || c.IdleTimeout != "" {
		t.idle = settings.Server.IdleTimeout
	}
	t.server = server.New(options)
	return t
}

// announce says to whoever started the daemon that it answers.
func (c *serveCommand) announce(place protocol.Place, std stdio) error {
	if c.Detached {
		return started(std.err)
	}
	_, err := fmt.Fprintf(std.out, "serving %s (pid %d)\n", logging.Escape(place.Project), os.Getpid())
	return err
}

// shutdown lets calls in flight finish until drain is over or the second signal comes. Then they are cancelled, and
// get a moment to notice.
func shutdown(life lifetime, s *server.Server, drain time.Duration) error {
	ctx, cancel := context.WithTimeout(life.hurry, drain+hurriedTimeout)
	defer cancel()
	if s.Shutdown(ctx) == nil {
		return nil
	}
	ctx, cancel = context.WithTimeout(context.Background(), hurriedTimeout)
	defer cancel()
	return s.Shutdown(ctx)
}

// closeProject ends the language servers, at the latest when the second signal comes.
func closeProject(life lifetime, project *lsp.Project) error {
	ctx, cancel := context.WithTimeout(life.hurry, closeTimeout)
	defer cancel()
	return project.Close(ctx)
}

// openLog opens the log file, and the terminal if the daemon was started at one.
func openLog(place protocol.Place, settings config.Log, std stdio) (*slog.Logger, *logging.File, error) {
	options := logging.Options{File: logPath(place), MaxSizeMB: settings.MaxSizeMB, MaxFiles: settings.MaxFiles}
	if err := options.Level.UnmarshalText([]byte(settings.Level)); err != nil {
		return nil, nil, err
	}
	if logging.IsTerminal(std.err) {
		options.Terminal = std.err
	}
	return logging.Open(options)
}
