package main

import (
	"log/slog"
	"time"

	"tidepool/internal/config"
	"tidepool/internal/hook"
	"tidepool/internal/server"
	"tidepool/lsp"
	"tidepool/protocol"
	"tidepool/tools"
)

// The parts of a daemon that outlive its server: whoever made them ends them.
type parts struct {
	place     protocol.Place
	settings  *config.Config
	languages []lsp.Language
	project   *lsp.Project
	judge     *judge
	log       *slog.Logger
}

// assemble joins the parts to what answers on the socket.
func (p *parts) assemble() (server.Options, error) {
	box, err := newToolbox(
		&tools.Code{Project: p.project, Root: p.place.Project},
		&tools.Scout{Project: p.project, Root: p.place.Project, Scorer: p.judge.Scorer},
	)
	if err != nil {
		return server.Options{}, err
	}
	hooks, err := hook.New(hook.Options{
		Rules: rules(p.settings.Policy),
		Allow: p.settings.PreToolUse == "allow",
		Files: p.project,
		Log:   p.log,
	})
	if err != nil {
		return server.Options{}, err
	}
	options := limits(p.settings.Server)
	options.Hooks = hooks
	options.Tools = box
	options.Status = &reporter{place: p.place, started: time.Now(), project: p.project, languages: p.languages, hooks: hooks.Counts}
	options.Version = version
	options.Log = p.log
	return options, nil
}

func rules(policy []config.Rule) []hook.Rule {
	list := make([]hook.Rule, len(policy))
	for i, r := range policy {
		list[i] = hook.Rule(r)
	}
	return list
}

func limits(s config.Server) server.Options {
	return server.Options{
		Workers:        s.Workers,
		MaxConnections: s.MaxConnections,
		CallTimeout:    s.CallTimeout,
		HookTimeout:    s.HookTimeout,
		LineTimeout:    s.LineTimeout,
		DrainTimeout:   s.DrainTimeout,
	}
}
