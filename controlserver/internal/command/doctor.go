package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/controlserver/internal/page"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/internal/daemon"
	"tidepool/internal/doctor"
	"tidepool/internal/environ"
	"tidepool/internal/setup"
	"tidepool/internal/state"
	"tidepool/internal/trust"
	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/protocol"
)

// Doctor finds out what does not work, and why.
type Doctor struct {
	Fix  bool `help:"Repair what is safe to repair: permissions, files left by a daemon that crashed, missing directories."`
	JSON bool `help:"Print one JSON object."`
}

// pingLimit is how long the daemon may take to answer the doctor.
const pingLimit = 2 * time.Second

// Run examines the project. That there are problems is an error.
func (c *Doctor) Run(ctx context.Context, place protocol.Place, build Build, std Stdio) error {
	checks, release, err := checksOf(ctx, place, build)
	if err != nil {
		return err
	}
	defer release()
	found := doctor.Examine(ctx, checks, c.Fix)
	problems, safe := doctor.Problems(found)
	if c.JSON {
		report := struct {
			OK       bool             `json:"ok"`
			Findings []doctor.Finding `json:"findings"`
		}{problems == 0, found}
		return errors.Join(json.NewEncoder(std.Out).Encode(report), unwell(problems, safe))
	}
	p := page.New(std.Out)
	for _, f := range found {
		printFinding(p, f)
	}
	return errors.Join(p.Err(), unwell(problems, safe))
}

func printFinding(p *page.Page, f doctor.Finding) {
	text := f.Name + ": " + f.Text
	switch {
	case f.Fixed:
		p.Row(page.Good, "fixed", text)
	case f.OK:
		p.Row(page.Good, "ok", text)
	default:
		fix := f.Fix
		if f.Mend != nil {
			fix += " (agent doctor --fix does it)"
		}
		p.Row(page.Bad, "PROBLEM", text)
		p.Row(page.Odd, "  fix", fix)
	}
}

// unwell is the error of a project with problems.
func unwell(problems, safe int) error {
	switch {
	case problems == 0:
		return nil
	case safe > 0:
		return &commandError{wording.Count(problems, "problem"), fmt.Sprintf("agent doctor --fix mends %d of them", safe)}
	}
	return &commandError{wording.Count(problems, "problem"), "each has its fix above"}
}

// checksOf returns what is examined of a project, and what lets go of it.
func checksOf(ctx context.Context, place protocol.Place, build Build) (checks []doctor.Check, release func(), err error) {
	options, err := SetupOptions(ctx, place)
	if err != nil {
		return nil, nil, err
	}
	settings, loadErr := serve.LoadConfig(place, nil)
	if loadErr != nil { // which its own check tells
		settings = config.Defaults()
	}
	for _, refused := range settings.Refused {
		loadErr = errors.Join(loadErr, refused)
	}
	running := configurationOf(place)
	environment, whose := os.Environ(), "no daemon runs; one that starts here"
	if running != nil {
		environment, whose = running.Configuration.Environment, fmt.Sprintf("the daemon (pid %d)", running.PID)
		settings.Scout = scorerOf(running.Scorer, settings.Scout)
		takePath(&options, environment)
	}
	judge := serve.NewJudge(settings.Scout, "")
	model := judge.Check(settings.Scout)
	model.Whose = whose
	return []doctor.Check{
		doctor.Program{Agent: options.Agent, Version: build.Version, Commit: build.Commit},
		installed{options},
		otherClients{options},
		doctor.State{Dir: state.Of(place.Project), Make: state.Ensure, Sockets: []string{protocol.SocketName, filepath.Base(place.Socket)}},
		serve.TrustCheck{Store: trust.Open(os.Getenv), Dir: place.Project},
		doctor.Settings{Path: config.Path(place.Project), Load: func() error { return loadErr }},
		policiesOf(place, settings),
		doctor.Environment{Withheld: environ.Withheld(os.Environ(), settings.EnvironmentPass), Differs: differing(os.Environ(), environment), Whose: whose},
		socketOf(place, build),
		doctor.Log{File: serve.LogPath(place)},
		doctor.Disk{Dir: place.Project},
		languagesOf(place, settings, environment),
		model,
		memoriesOf(place, settings.Recall),
		sandboxOf(place, settings.Exec),
	}, func() { judge.Close() }, nil
}

// scorerOf returns the settings of the scorer that a daemon has; what it does not tell is as in settings.
func scorerOf(state *protocol.ScorerState, settings config.Scout) config.Scout {
	if state.Model == "" {
		settings.Endpoint, settings.Scorer = "", ""
		if state.Advice == "" {
			settings.Scorer = state.Name
		}
		return settings
	}
	settings.Scorer, settings.Model, settings.Endpoint = state.Name, state.Model, state.Endpoint
	return settings
}

// takePath has programs be looked up on the PATH of a daemon that Claude Code has started, because its hooks have the same.
func takePath(options *setup.Options, environment []string) {
	if value(environment, "CLAUDE_PROJECT_DIR") != "" {
		options.Path, options.PathOf = value(environment, "PATH"), "the PATH that Claude Code gave the daemon"
	}
}

// value returns the value of a variable, "" if there is none.
func value(environment []string, name string) string {
	for _, entry := range environment {
		if text, is := strings.CutPrefix(entry, name+"="); is {
			return text
		}
	}
	return ""
}

// differing returns the variables of a daemon that decide which programs and servers it finds, and that this shell has otherwise.
func differing(own, daemons []string) (all []string) {
	own = environ.Harmless(own, nil)
	for _, name := range strings.Fields("HOME PATH GEMMA_ENDPOINT GOPATH GOROOT GOBIN NODE_PATH VIRTUAL_ENV CARGO_HOME JAVA_HOME") {
		if there := value(daemons, name); there != value(own, name) {
			all = append(all, name+"="+there)
		}
	}
	return all
}

// An installed check tells what Claude Code has of ours.
type installed struct{ options setup.Options }

// Look inspects Claude Code's files. None of it is mended here: they are the user's, and agent init asks.
func (i installed) Look(context.Context) []doctor.Finding {
	var all []doctor.Finding
	for _, f := range setup.Inspect(i.options) {
		text := f.What
		if !f.OK {
			text += ": " + f.Problem
		}
		all = append(all, doctor.Finding{Name: cmp.Or(f.Name, "Claude Code"), OK: f.OK, Text: text, Fix: f.Fix})
	}
	return all
}

// An otherClients check tells what clients other than Claude Code have of ours.
type otherClients struct{ options setup.Options }

// Look inspects their files. None of it is mended here.
func (o otherClients) Look(context.Context) []doctor.Finding {
	var all []doctor.Finding
	for _, f := range setup.InspectClients(o.options) {
		text := f.What
		if !f.OK {
			text += ": " + f.Problem
		}
		all = append(all, doctor.Finding{Name: f.Client, OK: f.OK, Text: text, Fix: f.Fix})
	}
	return all
}

func socketOf(place protocol.Place, build Build) doctor.Socket {
	return doctor.Socket{
		Path: place.Socket,
		Holder: func() (int, bool, error) {
			owner, held, err := daemon.Find(daemon.LockPath(place.Socket))
			return owner.PID, held, err
		},
		Ping: func() error {
			_, err := exchange[*protocol.StatusResponse](place.Socket, &protocol.StatusRequest{}, pingLimit)
			return err
		},
		Clean: func() error {
			d, err := daemon.Claim(context.Background(), daemon.Options{StateDir: state.Of(place.Project), Socket: place.Socket, Version: build.Version})
			if err != nil {
				return err
			}
			return d.Close()
		},
	}
}

func languagesOf(place protocol.Place, settings *config.Config, environment []string) doctor.Languages {
	var all doctor.Languages
	table := serve.Languages(lsp.Languages(), settings.Languages)
	used := lsp.Used(place.Project, table)
	for _, l := range table {
		all = append(all, doctor.Language{
			Name: l.Name,
			Used: slices.ContainsFunc(used, func(u lsp.Language) bool { return u.ID == l.ID }),
			Find: func() (string, error) { return l.Find(place.Project, environment) },
		})
	}
	return all
}

// policiesOf returns the check of policy files. What is wrong with the settings their own check tells.
func policiesOf(place protocol.Place, settings *config.Config) doctor.Policies {
	return doctor.Policies{Read: func() (string, []error) {
		policies, err := serve.Policies(place, settings)
		if err != nil {
			return "", []error{err}
		}
		files, problems := policies.Problems()
		return fmt.Sprintf("%s of %s", wording.Count(len(policies.Definitions()), "policy"), wording.Count(files, "file")), problems
	}}
}
