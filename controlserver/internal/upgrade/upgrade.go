// Package upgrade replaces both programs where they are by those of a tarball, and has the running daemon hand over to the new ones.
//
// Everything is checked before anything is changed: who asks, that the programs may be replaced, the checksum of the tarball, and that the
// new programs run here and belong together. Each program is replaced by one rename, so a hook that starts meanwhile finds the old agent or
// the new one, and both understand either daemon.
package upgrade

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/logging"
	"tidepool/protocol"
)

// Upgrade replaces the programs.
type Upgrade struct {
	From   string `arg:"" name:"tarball" help:"The tarball of a release: a file, or an https URL."`
	SHA256 string `name:"sha256" help:"The checksum that the tarball must have. Default: what SHA256SUMS beside it says." placeholder:"SUM"`
}

// limit bounds an upgrade, the download included.
const limit = 30 * time.Minute

// Run replaces both programs, which only a person may do: they decide what a model may.
func (c *Upgrade) Run(ctx context.Context, place protocol.Place, build command.Build, std command.Stdio) error {
	if err := command.RequirePerson(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	return c.upgrade(ctx, filepath.Dir(self), place, build, std)
}

// upgrade replaces the programs in dir.
func (c *Upgrade) upgrade(ctx context.Context, dir string, place protocol.Place, build command.Build, std command.Stdio) error {
	installed, err := open(dir)
	if err != nil {
		return err
	}
	defer installed.close()
	work, err := os.MkdirTemp("", "tidepool-upgrade-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	tarball, err := fetch(ctx, c.From, c.SHA256, work)
	if err != nil {
		return err
	}
	fresh, err := installed.unpack(tarball)
	defer installed.discard(fresh)
	if err != nil {
		return err
	}
	release, err := installed.describe(ctx, fresh)
	if err != nil {
		return err
	}
	if same, err := installed.has(fresh); err != nil || same {
		if err == nil {
			_, err = fmt.Fprintf(std.Out, "%s is installed already, in %s\n", logging.Escape(release), logging.Escape(dir))
		}
		return err
	}
	if err := installed.replace(fresh); err != nil {
		return err
	}
	fmt.Fprintf(std.Out, "upgraded %s to %s in %s\n", build.Version, logging.Escape(release), logging.Escape(dir))
	return handOver(ctx, installed.path(agentName), place, std)
}

// An upgradeError says why nothing was replaced, and what to do.
type upgradeError struct{ what, hint string }

func (e *upgradeError) Error() string { return e.what }

// Hint says what to do.
func (e *upgradeError) Hint() string { return e.hint }
