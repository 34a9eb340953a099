package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/figures"
)

// plotName is the file of the plot, in docs/.
const plotName = "figures-large.svg"

// publish prints the tables of all sizes, and with write puts them and the plot into the docs of a checkout. A bound that is not held is
// an error.
func publish(out io.Writer, checkout string, results []result, write bool) error {
	var text bytes.Buffer
	both := io.MultiWriter(out, &text)
	var missed error
	for _, r := range results {
		missed = errors.Join(missed, r.print(both))
	}
	drawn := panels(results, "go")
	for _, p := range drawn {
		fmt.Fprintln(both, p)
	}
	if !write {
		return missed
	}
	svg, err := drawPanels(drawn)
	if err != nil {
		return err
	}
	fmt.Fprintf(&text, "\n![how the costs grow with the lines of code](%s)\n", plotName)
	if err := os.WriteFile(filepath.Join(checkout, "docs", plotName), svg, 0o644); err != nil {
		return err
	}
	return errors.Join(figures.Write(checkout, "large", text.String()), missed)
}

// print writes the table of a size.
func (r result) print(out io.Writer) error {
	table := figures.NewTable(out, fmt.Sprintf("%s, %s: %d lines in %d files", r.name, r.source, r.lines, r.files))
	table.Add(r.rows()...)
	fmt.Fprintln(out)
	if r.problem != "" {
		return errors.Join(fmt.Errorf("%s: not measured to the end: %s", r.name, r.problem), table.Err())
	}
	if err := table.Err(); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}

// String tells the exponents of a panel, as in "* memory, exponent: tidepool 0.61, bare server 0.63".
func (of panel) String() string {
	text := "* " + of.title + ", exponent: "
	for i, s := range [][]point{of.ours, of.bare} {
		known := "unknown"
		if e, _, ok := exponent(s); ok {
			known = fmt.Sprintf("%.2f", e)
		}
		text += [2]string{"tidepool ", ", bare server "}[i] + known
	}
	return text
}

func seconds(nanoseconds int64) string {
	d := time.Duration(nanoseconds)
	switch {
	case d == 0:
		return "–"
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

func megabytes(bytes int64) string {
	if bytes == 0 {
		return "–"
	}
	return fmt.Sprintf("%d MB", bytes>>20)
}

func slowest(times []time.Duration) int64 {
	if len(times) == 0 {
		return 0
	}
	return int64(slices.Max(times))
}

// escape makes a text fit a cell of a table: what a project's names or a server's words are must not look like anything else.
func escape(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "\n", " ", "`", "'").Replace(strings.ToValidUTF8(text, "?"))
}

func escaped(list []string) []string {
	var all []string
	for _, text := range list {
		all = append(all, escape(text))
	}
	return all
}

func prefixed(with string, list []string) []string {
	var all []string
	for _, text := range list {
		all = append(all, with+text)
	}
	return all
}
