// Soak exposes the two programs to what years of use bring, and prints the
// outcome: daemons killed at random moments, more than a day's hooks, a
// thousand clients, fifty first hooks at once. Each trial fails if its bound
// is not held.
//
// Run it by make soak, which builds what it needs. With a trial's number as
// argument it runs only that one. With -write it also puts the table into
// docs/figures.md. The package's tests run the same trials, in fewer rounds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/figures"
)

func main() { figures.Main(run) }

// A trial is one thing that the programs must live through.
type trial struct {
	what, hold string
	size, few  int // how many, by make soak and in a test
	// run returns the figures, and an error if the bound is not held.
	run func(ctx context.Context, f *fixture, size int) (figures string, err error)
}

func trials() []trial {
	return []trial{
		{"kill -9 of the daemon at a random moment, under 8 hook clients", "every hook ends by itself, in time, as its mode says; one daemon, no orphan, no descriptor left over", 200, 20, outliveKills},
		{"hooks at once in a project without a daemon", "one daemon, every hook right", 50, 50, comeFirst},
		{"hook events, each in a connection of its own, a day of heavy use in a minute", "memory and goroutines steady", 100_000, 10_000, takeEvents},
		{"clients attached at once", "all counted, hooks answered meanwhile, nothing left of them afterwards", 1000, 1000, holdClients},
		{"hooks in closed mode beside a daemon that hangs (SIGSTOP)", "all refused, with a record; one waits its time, each other at most 0.25 s; answered once it goes on", 10, 10, outliveHang},
		{"PreToolUse hooks beside 2,100 silent connections and 8 threads that send edits and hang up", "each answered by the policy", 100, 20, keepPolicy},
		{"hooks, both programs built with a wall clock that jumps by a day a hundred times a second", "all answered in time; the idle daemon leaves when it is time", 1000, 100, jumpClock},
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	write := flags.Bool("write", false, "put the table into docs/figures.md, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *write && flags.NArg() > 0 {
		return errors.New("-write puts the whole table into docs/figures.md: leave out the trial")
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	table, failed, err := runTrials(ctx, root, flags.Arg(0))
	if err == nil && *write {
		err = figures.Write(root, "soak", table)
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d trials failed", failed)
	}
	return err
}

// runTrials runs all trials, or the one with this number. It prints the table as it grows, with the time that each trial
// took, returns it without, and counts the trials that failed.
func runTrials(ctx context.Context, root, only string) (table string, failed int, err error) {
	var rows strings.Builder
	rows.WriteString(figures.Machine() + "\n\n")
	rows.WriteString("| what | how many | hold | measured |\n|---|---|---|---|\n")
	fmt.Print(rows.String())
	for i, t := range trials() {
		if only != "" && only != fmt.Sprint(i+1) {
			continue
		}
		start := time.Now()
		figures, err := t.in(ctx, root, filepath.Join(root, "bin"), t.size)
		if ctx.Err() != nil {
			return "", failed, ctx.Err()
		}
		if err != nil {
			failed++
			figures = fmt.Sprintf("**failed**: %v", err)
		}
		row := fmt.Sprintf("| %s | %d | %s | %s", t.what, t.size, t.hold, figures)
		fmt.Printf("%s; took %v |\n", row, time.Since(start).Round(time.Second))
		rows.WriteString(row + " |\n")
	}
	return rows.String(), failed, nil
}

// in runs the trial with the programs of bin, in a fixture of its own.
func (t trial) in(ctx context.Context, root, bin string, size int) (figures string, err error) {
	f, err := newFixture(ctx, root, bin)
	if err != nil {
		return "", err
	}
	figures, err = t.run(ctx, f, size)
	if closing := f.close(); err == nil {
		err = closing
	}
	return figures, err
}
