package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"tidepool/internal/config"
	"tidepool/internal/doctor"
	"tidepool/internal/sandbox"
	"tidepool/internal/sandbox/confine"
	"tidepool/protocol"
)

// Sandbox confines a command, for a daemon that has no agent beside it, which starts faster.
type Sandbox struct{}

// Run is the process between a daemon and a confined command, see package confine. Its report says what went wrong.
func (Sandbox) Run() error {
	if confine.Main() != 0 {
		return errors.New("this process is for a daemon to start: it has got no plan, or nobody reads its report")
	}
	return nil
}

// sandboxOf returns the doctor's check of how far commands are confined. It runs one, in a place of its own.
func sandboxOf(place protocol.Place, settings config.Exec) doctor.Sandbox {
	return doctor.Sandbox{Enabled: settings.Enabled, Accept: settings.Accept, Support: func(ctx context.Context) (string, []string, string, error) {
		scratch, err := os.MkdirTemp("", "tidepool-doctor")
		if err != nil {
			return "", nil, "", err
		}
		level, missing, failed, err := supportIn(ctx, place, settings, scratch)
		return level, missing, failed, errors.Join(err, os.RemoveAll(scratch))
	}}
}

// supportIn finds out how far commands are confined, with a directory for what they leave.
func supportIn(ctx context.Context, place protocol.Place, settings config.Exec, scratch string) (level string, missing []string, failed string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", nil, "", err
	}
	box, err := sandbox.New(sandbox.Options{
		Program: sandbox.ProgramOf(program), Project: place.Project, Protected: settings.Protect, Hide: settings.Hide, Read: settings.Read,
		Write: settings.Write, Home: settings.Home, Scratch: filepath.Join(scratch, "exec"),
	})
	if err != nil {
		return "", nil, "", err
	}
	s := box.Support(ctx)
	if s.Level == "" {
		return "", nil, "", ctx.Err()
	}
	if s.Step != "" {
		failed = s.Step + ": " + s.Why
	}
	return string(s.Level), s.Missing, failed, nil
}
