package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/charmbracelet/x/ansi"

	"tidepool/internal/figures"
	"tidepool/internal/preview"
	"tidepool/internal/preview/recorded"
)

// previewSize is what a preview is measured with, in characters: the default of safe_bash.
const previewSize = 500

// previewRows measures which lines that a person looks for a preview shows, of recorded outputs that no rule was written with, and
// beside them of those with which rules were written.
func previewRows(_ context.Context, root string) ([]figures.Row, error) {
	kept, err := previewRow(root, "lines a person looks for in failing outputs kept apart", recorded.Case.IsKept)
	if err != nil {
		return nil, err
	}
	known, err := previewRow(root, "the same in outputs with which rules were written", func(c recorded.Case) bool { return !c.IsKept() })
	return []figures.Row{kept, known}, err
}

func previewRow(root, what string, wanted func(recorded.Case) bool) (figures.Row, error) {
	var shares []recorded.Share
	for _, show := range []func(recorded.Case, recorded.Output) string{ours, headAndTail, beginning} {
		share, err := recorded.Measure(filepath.Join(root, "internal", "preview", "recorded", "testdata"), wanted, show)
		if err != nil {
			return figures.Row{}, err
		}
		shares = append(shares, share)
	}
	return figures.Row{
		What:     what,
		Hold:     "≥ .95 at ≤ 5 % of the characters",
		Measured: shareText(shares[0]),
		Beside:   "head and tail " + shareText(shares[1]) + "; first 500 characters " + shareText(shares[2]),
		Held:     shares[0].Recall() >= 0.95 && shares[0].Cost() <= 0.05,
	}, nil
}

func shareText(s recorded.Share) string {
	return fmt.Sprintf("%d of %d (%.2f) at %.1f %%", s.Found, s.Looked, s.Recall(), 100*s.Cost())
}

func ours(c recorded.Case, out recorded.Output) string {
	return preview.Of(preview.Input{Command: c.Run, Exit: out.Exit, Stdout: out.Stdout, Stderr: out.Stderr}, previewSize).Text
}

// headAndTail shows half of the characters from each end, colours left out.
func headAndTail(_ recorded.Case, out recorded.Output) string {
	text := []rune(ansi.Strip(out.Stdout + out.Stderr))
	if len(text) <= previewSize {
		return string(text)
	}
	return string(text[:previewSize/2]) + "\n" + string(text[len(text)-previewSize/2:])
}

// beginning shows the first characters, colours left out.
func beginning(_ recorded.Case, out recorded.Output) string {
	text := []rune(ansi.Strip(out.Stdout + out.Stderr))
	return string(text[:min(len(text), previewSize)])
}
