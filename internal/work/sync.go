package work

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// defaultSyncTime is how long a sync of the tracker may take unless told otherwise.
const defaultSyncTime = 30 * time.Second

// A SyncOutcome is what became of a sync.
type SyncOutcome struct {
	Synced bool   `json:"synced"`
	How    string `json:"how,omitempty"` // the command; "": none was run
	Reason string `json:"reason,omitempty"`
	Hint   string `json:"hint,omitempty"`
}

// Sync brings the tracker's issues here up to date with where they are shared. It never pushes. What the installed bd can
// do is asked of the program, since its commands have changed: bd sync --from-main, bd sync --no-push, bd dolt pull.
func (w *Work) Sync(ctx context.Context) SyncOutcome {
	outcome, err := within(ctx, w.times.sync, w.sync)
	if err != nil {
		g := gap("bd", err)
		outcome.Reason, outcome.Hint = g.Reason, g.Hint
	}
	return outcome
}

func (w *Work) sync(ctx context.Context) (SyncOutcome, error) {
	if _, err := w.bd(ctx, "version"); err != nil {
		return SyncOutcome{}, err
	}
	how, why, err := w.syncCommand(ctx)
	if err != nil || how == nil {
		return SyncOutcome{Reason: why}, err
	}
	outcome := SyncOutcome{How: "bd " + strings.Join(how, " ")}
	if _, err := w.bd(ctx, how...); err != nil {
		return outcome, err
	}
	outcome.Synced = true
	return outcome, nil
}

// syncCommand returns the command that syncs without pushing; nil, with the reason, if there is none.
func (w *Work) syncCommand(ctx context.Context) (how []string, why string, err error) {
	help, found, err := w.helpOf(ctx, "sync")
	if err != nil {
		return nil, "", err
	}
	if found {
		for _, flag := range []string{"--from-main", "--no-push"} {
			if strings.Contains(help, flag) {
				return []string{"sync", flag}, "", nil
			}
		}
		return nil, "this bd syncs only by pushing as well; run bd sync yourself", nil
	}
	if _, found, err = w.helpOf(ctx, "dolt"); err != nil || !found {
		return nil, "this bd has neither bd sync nor bd dolt", err
	}
	remotes, err := w.bd(ctx, "dolt", "remote", "list")
	if err != nil {
		return nil, "", err
	}
	if text := strings.ToLower(string(bytes.TrimSpace(remotes))); text == "" || strings.HasPrefix(text, "no ") {
		return nil, "the issues are only here: no Dolt remote is configured (bd dolt remote add)", nil
	}
	return []string{"dolt", "pull"}, "", nil
}

// helpOf returns the help of a command. It is not found if bd says that it does not know the command.
func (w *Work) helpOf(ctx context.Context, command string) (help string, found bool, err error) {
	out, err := w.bd(ctx, command, "--help")
	var failure *ProgramError
	var exit *exec.ExitError
	switch {
	case err == nil:
		// Programs made with cobra print the help of the whole for a command that they do not know.
		return string(out), strings.Contains(string(out), "bd "+command), nil
	case errors.As(err, &failure) && errors.As(failure.Err, &exit):
		return "", false, nil
	}
	return "", false, fmt.Errorf("asking bd what it can do: %w", err)
}
