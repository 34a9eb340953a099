package initialize

import (
	"context"
	"fmt"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/setup"
	"tidepool/internal/setup/client"
	"tidepool/protocol"
)

// A setupFlags are what init and uninit have in common.
type setupFlags struct {
	User   bool   `help:"Use the settings of all your projects instead of this project's." xor:"scope"`
	Local  bool   `help:"Use your own settings in this project, which are not committed (.claude/settings.local.json)." xor:"scope"`
	DryRun bool   `help:"Print what would change, and change nothing."`
	Yes    bool   `short:"y" help:"Do not ask."`
	Client string `help:"The client whose files are meant: claude (Claude Code), codex, gemini (Gemini CLI), cursor, opencode." enum:"claude,codex,gemini,cursor,opencode" default:"claude"`
}

// check refuses flags that another client has no use for.
func (f setupFlags) check(forClaudeCode map[string]bool) error {
	for flag, set := range forClaudeCode {
		if set && f.Client != "claude" {
			return &command.UsageError{Err: fmt.Errorf("%s is for Claude Code only, and cannot be combined with --client %s", flag, f.Client)}
		}
	}
	return nil
}

// options returns what package setup is asked to do.
func (f setupFlags) options(ctx context.Context, place protocol.Place) (setup.Options, error) {
	options, err := command.SetupOptions(ctx, place)
	if other, is := client.Find(f.Client); is {
		options.Client = &other
	}
	switch {
	case f.User:
		options.Scope = setup.ScopeUser
	case f.Local:
		options.Scope = setup.ScopeLocal
	}
	return options, err
}
