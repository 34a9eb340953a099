package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/measure"
)

// steps are what runs in a process of its own.
func steps() map[string]measure.Step {
	return map[string]measure.Step{"fts5": fts5}
}

// asked is how many prompts are asked.
const asked = 500

// speed measures recall on so many memories.
func speed(ctx context.Context, root string, memories int) ([]row, error) {
	dir, err := os.MkdirTemp("", "tidepool-recall-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	all := &corpus{Dir: filepath.Join(dir, "all"), Memories: memories, Prompts: asked}
	if err := all.save(); err != nil {
		return nil, err
	}
	peer, err := measure.Run(ctx, "fts5", all.Dir)
	if err != nil {
		return nil, err
	}
	return []row{{
		what: "FTS5 with the 64 words of a prompt of 2 KB that recall takes", hold: "–",
		measured: fmt.Sprintf("p99 %s, %s of processor time", millis(peer["all p99"]), millis(peer["all cpu"])),
		peer:     fmt.Sprintf("with the 12 rarest: p99 %s, %s of processor time", millis(peer["rare p99"]), millis(peer["rare cpu"])),
		held:     true,
	}}, nil
}

func millis(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }
