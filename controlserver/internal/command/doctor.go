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
	options, err := setupOptions(ctx, place)
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
	judge := serve.NewJudge(settings.Scout, "")
	return []doctor.Check{
		doctor.Program{Agent: options.Agent, Version: build.Version, Commit: build.Commit},
		installed{options},
		doctor.State{Dir: state.Of(place.Project), Make: state.Ensure, Sockets: []string{protocol.SocketName, filepath.Base(place.Socket)}},
		serve.TrustCheck{Store: trust.Open(os.Getenv), Dir: place.Project},
		doctor.Settings{Path: config.Path(place.Project), Load: func() error { return loadErr }},
		policiesOf(place, settings),
		doctor.Environment{Withheld: environ.Withheld(os.Environ(), settings.EnvironmentPass)},
		socketOf(place, build),
		doctor.Log{File: serve.LogPath(place)},
		doctor.Disk{Dir: place.Project},
		languagesOf(place, settings),
		judge.Check(settings.Scout),
		memoriesOf(place, settings.Recall),
		sandboxOf(place, settings.Exec),
	}, func() { judge.Close() }, nil
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

func languagesOf(place protocol.Place, settings *config.Config) doctor.Languages {
	var all doctor.Languages
	table := serve.Languages(lsp.Languages(), settings.Languages)
	used := lsp.Used(place.Project, table)
	for _, l := range table {
		all = append(all, doctor.Language{
			Name: l.Name,
			Used: slices.ContainsFunc(used, func(u lsp.Language) bool { return u.ID == l.ID }),
			Find: func() (string, error) { return l.Find(place.Project, os.Environ()) },
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
