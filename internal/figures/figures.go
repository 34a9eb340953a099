// Package figures prints the tables of programs that measure, each figure beside its bound and its peer, and puts them into
// docs/figures.md.
package figures

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"tidepool/internal/section"
)

// Main runs a program that measures, with the arguments of the process, until it ends or a signal cancels it. On an error, which it
// prints, it exits with 1; after help that was asked for, with 2.
func Main(run func(ctx context.Context, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// Machine returns what the figures depend on, as in "go1.26.8, linux/amd64, 2 CPUs".
func Machine() string {
	return fmt.Sprintf("%s, %s/%s, %d CPUs", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

// A Row is one line of a table.
type Row struct {
	What     string
	Hold     string // the bound; "–": none
	Measured string
	Beside   string // the peer's figure and what else explains the measured one
	Held     bool
}

// A Table is printed row by row as it grows.
type Table struct {
	out    io.Writer
	text   strings.Builder
	missed int
}

// NewTable prints the head of a table. about says what the figures are of; "": nothing beside the machine.
func NewTable(out io.Writer, about string) *Table {
	t := &Table{}
	t.out = io.MultiWriter(out, &t.text)
	fmt.Fprintln(t.out, strings.TrimSuffix(Machine()+"; "+about, "; "))
	fmt.Fprintln(t.out, "\n| what | hold | measured | beside it |\n|---|---|---|---|")
	return t
}

// Add prints rows. One whose bound is not held is marked.
func (t *Table) Add(rows ...Row) {
	for _, r := range rows {
		if !r.Held {
			t.missed++
			r.Measured += "; **missed**"
		}
		fmt.Fprintf(t.out, "| %s | %s | %s | %s |\n", r.What, r.Hold, r.Measured, r.Beside)
	}
}

// Write puts the table into a section of docs/figures.md in a checkout.
func (t *Table) Write(checkout, section string) error {
	return Write(checkout, section, t.text.String())
}

// Err returns an error that counts the bounds that are not held, nil if all are.
func (t *Table) Err() error {
	if t.missed == 0 {
		return nil
	}
	return fmt.Errorf("%d of the bounds not held", t.missed)
}

// Write puts a text into a section of docs/figures.md in a checkout.
func Write(checkout, name, text string) error {
	return section.Write(filepath.Join(checkout, "docs", "figures.md"), map[string]string{name: text})
}
