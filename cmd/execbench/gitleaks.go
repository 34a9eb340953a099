package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tidepool/internal/scrub/planted"
)

// A gitleaks is what gitleaks' engine has found, and how long it took.
type gitleaks struct {
	found map[string][]peerFinding // by text
	cpu   []time.Duration          // for each search of the mixed output
}

// A peerFinding is a secret that gitleaks has found.
type peerFinding struct {
	Secret  string
	Decoded bool
}

// searchByGitleaks builds the program in cmd/execbench/gitleaks, which is a module of its own, and has it search all texts.
func searchByGitleaks(ctx context.Context, root string, source []string) (*gitleaks, error) {
	dir, err := os.MkdirTemp("", "execbench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "gitleaks")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, ".")
	build.Dir, build.Env = filepath.Join(root, "cmd", "execbench", "gitleaks"), append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building gitleaks: %w: %s", err, out)
	}
	texts := slices.Concat(source, planted.Harmless())
	for _, c := range planted.Cases(planted.Tuning(), casesOfKind) {
		texts = append(texts, c.Text)
	}
	for _, c := range planted.Cases(planted.Apart(), casesOfKind) {
		texts = append(texts, c.Text)
	}
	in, err := json.Marshal(map[string]any{"Texts": texts, "Timed": planted.Mixed(mixedSize), "Runs": warmRuns + timedRuns})
	if err != nil {
		return nil, err
	}
	search := exec.CommandContext(ctx, program)
	search.Stdin, search.Stderr = bytes.NewReader(in), os.Stderr
	answer, err := search.Output()
	if err != nil {
		return nil, fmt.Errorf("gitleaks: %w", err)
	}
	return readAnswer(answer, texts)
}

// readAnswer reads what the program has found in some texts.
func readAnswer(answer []byte, texts []string) (*gitleaks, error) {
	var out struct {
		Found [][]peerFinding
		CPU   []time.Duration
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		return nil, fmt.Errorf("gitleaks: %w", err)
	}
	if len(out.Found) != len(texts) || len(out.CPU) <= warmRuns {
		return nil, fmt.Errorf("gitleaks answered for %d of %d texts", len(out.Found), len(texts))
	}
	g := &gitleaks{found: make(map[string][]peerFinding), cpu: out.CPU[warmRuns:]}
	for i, text := range texts {
		g.found[text] = out.Found[i]
	}
	return g, nil
}

// replaced returns a text without what gitleaks has found in it. It does not say where an encoded secret stands, so a text in which it found
// one counts as replaced.
func (g *gitleaks) replaced(text string) string {
	clean := text
	for _, f := range g.found[text] {
		if f.Decoded {
			return ""
		}
		clean = strings.ReplaceAll(clean, f.Secret, "")
	}
	return clean
}
