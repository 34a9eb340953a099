package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/daemon"
	"tidepool/internal/logging"
	"tidepool/internal/server"
	"tidepool/lsp"
	"tidepool/protocol"
)

const (
	closeTimeout   = 5 * time.Second // how long language servers may take to end before they are killed
	hurriedTimeout = time.Second     // how long calls may take to notice that they were cancelled
)

type serveCommand struct {
	Scorer   string `help:"Who rates what scout finds: ollama or heuristic." placeholder:"NAME" enum:",ollama,heuristic" default:""`
	LogLevel string `help:"The least level that is logged: debug, info, warn or error." placeholder:"LEVEL" enum:",debug,info,warn,error" default:""`
}

// Run is the daemon's life: become the project's daemon, serve until the first signal, put everything away. That
// another one is running is what was wanted, too.
func (c *serveCommand) Run(life lifetime, place protocol.Place, std stdio) error {
	if err := shedSecrets(); err != nil {
		return err
	}
	settings, err := loadConfig(place, map[string]string{"scout.scorer": c.Scorer, "log.level": c.LogLevel})
	if err != nil {
		return err
	}
	claimed, err := daemon.Claim(life.quit, daemon.Options{StateDir: stateDir(place), Socket: place.Socket, Version: version})
	if running, ok := errors.AsType[*daemon.AlreadyRunning](err); ok {
		_, err := fmt.Fprintln(std.err, running)
		return err
	}
	if err != nil {
		return err
	}
	err = serve(life, claimed, place, settings, std)
	return errors.Join(err, claimed.Close())
}

// serve puts the parts together, from the logger to the socket, and takes them apart in reverse.
func serve(life lifetime, claimed *daemon.Daemon, place protocol.Place, settings *config.Config, std stdio) (err error) {
	log, logFile, err := openLog(place, settings.Log, std)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, logFile.Close()) }()

	table := languages(lsp.Languages(), settings.Languages)
	project, err := lsp.Open(lsp.Options{Root: place.Project, Languages: table, ReadyBudget: settings.ReadyBudget})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeProject(life, project)) }()

	judge := newJudge(settings.Scout)
	defer judge.Close()
	parts := parts{place: place, settings: settings, languages: table, project: project, judge: judge, log: log}
	options, err := parts.assemble()
	if err != nil {
		return err
	}
	defer parts.reloader.follow(life.reread)()
	if _, err := fmt.Fprintf(std.out, "serving %s (pid %d)\n", logging.Escape(place.Project), os.Getpid()); err != nil {
		return err
	}
	log.Info("serving", "socket", claimed.Socket(), "pid", os.Getpid(), "version", version, "scorer", judge.Name())
	return answer(life, server.New(options), claimed, options.DrainTimeout, log)
}

// answer serves the socket until the first signal, and then finishes what is in flight: for the drain timeout, or
// until the second signal. Goroutines: one accepts, and has ended when answer returns.
func answer(life lifetime, s *server.Server, claimed *daemon.Daemon, drain time.Duration, log *slog.Logger) error {
	stopped := make(chan error, 1)
	go func() { stopped <- s.Serve(claimed.Listener()) }()
	var failed error
	select {
	case <-life.quit.Done():
		log.Info("stopping", "calls in flight", s.Stats().CallsInFlight)
	case failed = <-stopped:
		stopped <- nil
	}
	failed = errors.Join(failed, shutdown(life, s, drain), <-stopped)
	log.Info("stopped")
	return failed
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
func openLog(place protocol.Place, settings config.Log, std stdio) (*slog.Logger, io.Closer, error) {
	options := logging.Options{File: logPath(place), MaxSizeMB: settings.MaxSizeMB, MaxFiles: settings.MaxFiles}
	if err := options.Level.UnmarshalText([]byte(settings.Level)); err != nil {
		return nil, nil, err
	}
	if logging.IsTerminal(std.err) {
		options.Terminal = std.err
	}
	return logging.Open(options)
}
