package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"tidepool/controlserver/internal/policywatch"
	"tidepool/internal/config"
	"tidepool/internal/git"
	"tidepool/internal/memory"
	"tidepool/internal/policy"
	"tidepool/internal/policyfile"
	"tidepool/lsp"
	"tidepool/protocol"
)

// gitTimeout is how long git may take to look into its index.
const gitTimeout = 2 * time.Second

// LoadConfig reads the settings of a project that count; flags maps keys to what the command line says.
func LoadConfig(place protocol.Place, flags map[string]string) (*config.Config, error) {
	var languages []string
	for _, l := range lsp.Languages() {
		languages = append(languages, l.ID)
	}
	return config.Load(config.Sources{
		Project: place.Project, Env: os.LookupEnv, Flags: flags, Languages: languages,
		Distrust: func(path string) error {
			if err := distrust(path); err != nil {
				return err
			}
			return newTrustState().distrust(place.Project)
		},
	})
}

// distrust returns why the user may not have made a file of the project, or nil: what git tracks may have come with a
// clone.
func distrust(path string) error {
	ctx, cancel := context.WithTimeout(context.Background(), gitTimeout)
	defer cancel()
	switch tracked, err := git.Tracked(ctx, path); {
	case err != nil:
		return fmt.Errorf("nobody can tell whether it came with the project: %w", err)
	case tracked:
		return errors.New("git tracks the file, so it may have come with the project")
	}
	return nil
}

// memoryBudget returns what a daemon with these settings and all that it starts may occupy, and logs what is not known of it.
func memoryBudget(ctx context.Context, settings config.Memory, log *slog.Logger) memory.Budget {
	budget := memory.BudgetNow(ctx, int64(settings.BudgetMB)<<20)
	if budget.Bytes == 0 {
		log.Warn("no memory budget", "why", budget.Reason, "hint", "set memory.budget")
	}
	for _, doubt := range budget.Doubts {
		log.Warn("memory budget", "megabytes", budget.Bytes>>20, "doubt", doubt)
	}
	return budget
}

// watchPolicies returns what gives an engine the policies of files.
func watchPolicies(place protocol.Place, settings *config.Config, engine *policy.Engine, log *slog.Logger) *policywatch.Watch {
	return policywatch.New(policywatch.Options{
		Engine: engine,
		Dirs: func(named []string) []policyfile.Dir {
			return policywatch.Dirs(place.Project, named, os.Getenv)
		},
		Own: func(level policy.Level, path string) error {
			if err := distrust(path); err != nil || level != policy.Project {
				return err
			}
			return newTrustState().distrust(place.Project)
		},
		Log: log,
	}, settings.PolicyDirs)
}

// Policies returns the policies that decide about tool calls in a project, as a daemon would have them that starts now.
func Policies(place protocol.Place, settings *config.Config) (*policywatch.Watch, error) {
	rules, err := NewPolicy(settings)
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.DiscardHandler)
	return watchPolicies(place, settings, policy.NewEngine(rules, log), log), nil
}
