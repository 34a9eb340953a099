package initialize

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/controlserver/internal/serve"
	"tidepool/internal/config"
	"tidepool/internal/daemon"
	"tidepool/internal/git"
	"tidepool/internal/logging"
	"tidepool/internal/ollama"
	"tidepool/internal/setup"
	"tidepool/protocol"
)

// probeLimit is how long an Ollama may take to show that it is there.
const probeLimit = 200 * time.Millisecond

// asksPerson reports whether questions beyond those of the plan are asked: a person sits at the terminal, and has not answered all
// questions by --yes.
func (f setupFlags) asksPerson(std command.Stdio) bool {
	return !f.Yes && !f.DryRun && logging.IsTerminal(std.In) && command.RequirePerson() == nil
}

// askScorer asks a person whether scout and teach-graph shall use the Ollama of this machine, if one answers and nobody has chosen. The
// answer is nil if nothing was asked; note is what a person has to know then or afterwards, "" if nothing.
func askScorer(ctx context.Context, place protocol.Place, std command.Stdio) (answer *setup.Scorer, note string) {
	model, open := openScorer(ctx, place)
	if !open {
		return nil, ""
	}
	endpoint := ollama.Local()
	probing, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	switch answers, has := ollama.Probe(probing, endpoint, model); {
	case !answers:
		return nil, ""
	case !has:
		return nil, fmt.Sprintf("Ollama answers at %s without %s: after `ollama pull %[2]s`, agent init asks whether scout and teach-graph shall use it", endpoint, model)
	}
	if !command.Agreed(std, fmt.Sprintf("Ollama answers at %s and has %s. Shall scout and teach-graph use it?", endpoint, model)) {
		return &setup.Scorer{Name: "heuristic"}, ""
	}
	if _, running, err := daemon.Find(daemon.LockPath(place.Socket)); err == nil && running {
		note = "the daemon that runs uses " + model + " once it has been started anew: controlserver stop"
	}
	return &setup.Scorer{Name: "ollama", Endpoint: endpoint}, note
}

// openScorer returns the model that the settings of a project name, and whether nobody has chosen who scores. Settings that git tracks
// cannot choose, so there is nothing to ask. Nor is there about a name that would do something else in a shell.
func openScorer(ctx context.Context, place protocol.Place) (model string, open bool) {
	settings, err := serve.LoadConfig(place, nil)
	if err != nil || settings.Scout.Scorer != "" || settings.Scout.Endpoint != "" {
		return "", false
	}
	for _, refused := range settings.Refused {
		if refused.Key == "scout.endpoint" {
			return "", false // trust makes it count
		}
	}
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	tracked, err := git.Tracked(ctx, config.Path(place.Project))
	return settings.Scout.Model, err == nil && !tracked && isPlain(settings.Scout.Model)
}

// isPlain reports whether a model's name can be typed into a shell as it is.
func isPlain(name string) bool {
	isOther := func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._:-", r)
	}
	return !strings.ContainsFunc(name, isOther) && !strings.HasPrefix(name, "-")
}

// gitLimit is how long git may take to say whether it tracks a file.
const gitLimit = 10 * time.Second
