// Conformance has programs of other authors judge `agent mcp` and /mcp of the
// daemon's port: the conformance suite of the Model Context Protocol, which
// speaks HTTP to the port, and to a bridge on the loopback interface for the
// agent; and the command line of the MCP Inspector. Behind both doors is the
// real server, with the tools that the suite asks for by name.
//
// Run it by make conformance, which builds what it needs. It fails if anything
// that applies does not pass, or docs/figures.md has another count.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// A checkout is where everything is.
type checkout struct {
	root  string // absolute
	agent string // the program to judge
	npm   string // directory with node_modules in it
}

func run(ctx context.Context) (err error) {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	c := checkout{root: root, agent: filepath.Join(root, "bin", "agent"), npm: filepath.Join(root, "bin", ".npm")}
	for _, path := range []string{c.agent, filepath.Join(c.npm, "node_modules")} {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("%s is not there: run make conformance in the root of the checkout", path)
		}
	}
	dir, err := os.MkdirTemp("", "tidepool-conformance")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	d, err := startDaemon(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop()) }()

	return errors.Join(judgeDoors(ctx, c, dir), inspect(ctx, c, dir))
}

// judgeDoors has the suite judge each door, and compares the page.
func judgeDoors(ctx context.Context, c checkout, dir string) error {
	var failures []error
	for i, d := range doors(c, dir) {
		summary, err := judge(ctx, c, d, filepath.Join(dir, fmt.Sprint("results", i)))
		if err == nil {
			err = comparePage(c.root, summary)
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", d.name, err))
		}
	}
	return errors.Join(failures...)
}

// comparePage checks that docs/figures.md has what was counted.
func comparePage(root, summary string) error {
	page, err := os.ReadFile(filepath.Join(root, "docs", "figures.md"))
	if err != nil {
		return err
	}
	if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), summary) {
		return fmt.Errorf("docs/figures.md must say: %s", summary)
	}
	return nil
}
