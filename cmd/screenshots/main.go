// Screenshots makes the pictures of the pages from real runs: it plays commands on a small project in a pseudo-terminal, and draws the
// screen in light and in dark into docs/.
//
// Run it by make screenshots. A picture is left as it is if a new run shows the same apart from times; to renew the times, remove it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	checkout, err := os.Getwd()
	if err != nil {
		return err
	}
	return take(ctx, filepath.Join(checkout, "bin"), func(s shot, screen *uv.Buffer) error {
		return publish(os.Stdout, filepath.Join(checkout, "docs"), s, screen)
	})
}

// A shot is what one picture shows.
type shot struct {
	name  string // of the files: name-light.svg and name-dark.svg
	title string // for people who do not see the picture; what stands between ' is on it
	play  func(context.Context, *stage) (*uv.Buffer, error)
}

func shots() []shot {
	return []shot{
		{"answers", "grep finds 14 lines; 'agent call find_callers List.Of' answers '3 calls and 1 value in 4 files', and 'agent scout' that an edit " +
			"'certainly breaks 1 implementation, 2 conversions, 2 calls'", playAnswers},
		{"ui", "agent ui: '1 question waits for you', above the latest hooks and tools", playQuestion},
	}
}

// patience is how long all shots may take. They take seconds, and minutes beside other load.
const patience = 10 * time.Minute

// take plays all shots with the programs of a directory.
func take(ctx context.Context, bin string, use func(shot, *uv.Buffer) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s, err := newStage(ctx, bin)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	for _, shot := range shots() {
		screen, err := shot.play(ctx, s)
		if err != nil {
			return fmt.Errorf("taking the picture %s: %w", shot.name, err)
		}
		if err := use(shot, screen); err != nil {
			return err
		}
	}
	return nil
}
