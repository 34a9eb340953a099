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

// plotted is the language of which there are enough sizes to draw how costs grow.
const plotted = "go"

// drawable reports whether all sizes that the plot draws were chosen.
func drawable(chosen []size) bool {
	return !slices.ContainsFunc(sizes(), func(s size) bool {
		return s.language == plotted && !slices.ContainsFunc(chosen, func(c size) bool { return c.name == s.name })
	})
}

// publish prints the tables of sizes, and with write puts each into its section of docs/figures.md in a checkout, and how the costs
// grow into one of its own, with the plot, if whole says that all sizes of Go were measured. A bound that is not held is an error.
func publish(out io.Writer, checkout string, results []result, write, whole bool) error {
	var missed error
	sections := make(map[string]string)
	for _, r := range results {
		var text bytes.Buffer
		missed = errors.Join(missed, r.print(io.MultiWriter(out, &text)))
		sections["large-"+r.name] = text.String()
	}
	drawn := panels(results, plotted)
	var growth strings.Builder
	for _, p := range drawn {
		fmt.Fprintln(io.MultiWriter(out, &growth), p)
	}
	if write && whole {
		svg, err := drawPanels(drawn)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(checkout, "docs", plotName), svg, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&growth, "\n![how the costs grow with the lines of code](%s)\n", plotName)
		sections["large"] = growth.String()
	}
	if write {
		for name, text := range sections {
			if err := figures.Write(checkout, name, text); err != nil {
				return err
			}
		}
	}
	return missed
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

func quickest(times []time.Duration) int64 {
	if len(times) == 0 {
		return 0
	}
	return int64(slices.Min(times))
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
