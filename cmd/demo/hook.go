package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
)

// recordedHook is a PreToolUse event of the real Claude Code.
const recordedHook = "protocol/testdata/hooks/PreToolUse.json"

func playHook(ctx context.Context, d *daemon) error {
	took := step("bin/agent hook pre-tool-use < %s", recordedHook)
	input, err := os.ReadFile(recordedHook)
	if err != nil {
		return err
	}
	cmd := d.command(ctx, "agent", "hook", "pre-tool-use")
	cmd.Stdin = bytes.NewReader(input)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the hook failed: %w\n%s", err, stderr.Bytes())
	}
	if stdout.Len() == 0 {
		fmt.Println("  Claude Code sees: nothing, exit 0. No rule decides, so your own permission prompts stay.")
	} else {
		fmt.Printf("  Claude Code sees: %s", stdout.Bytes())
	}
	took()
	return nil
}

func indent(text string) string {
	text = strings.TrimRight(text, "\n")
	return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
}
