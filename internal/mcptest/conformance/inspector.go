package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// inspect has the MCP Inspector's command line list and call tools in both
// eras.
func inspect(ctx context.Context, c checkout, dir string) error {
	exchanges := []struct {
		args []string
		want string
	}{
		{[]string{"--method", "tools/list"}, `"name":"test_simple_text","description":"Answers with a text."`},
		{[]string{"--method", "tools/call", "--tool-name", "test_simple_text"}, `"content":[{"type":"text","text":"done"}]`},
		{[]string{"--method", "tools/call", "--tool-name", "test_error_handling"}, `"isError":true`},
	}
	for _, era := range []string{"legacy", "modern"} {
		for _, exchange := range exchanges {
			got, err := runInspector(ctx, c, dir, append([]string{"--protocol-era", era}, exchange.args...))
			if err != nil || !strings.Contains(got, exchange.want) {
				return fmt.Errorf("the Inspector, %s era, %s: got %s, want %s: %w", era, strings.Join(exchange.args, " "), got, exchange.want, err)
			}
		}
	}
	fmt.Printf("the MCP Inspector lists and calls tools in both eras\n")
	return nil
}

func runInspector(ctx context.Context, c checkout, dir string, args []string) (string, error) {
	program := filepath.Join(c.npm, "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	args = append([]string{program, "--cli", "--format", "json"}, args...)
	cmd := exec.CommandContext(ctx, "node", append(args, c.agent, "mcp")...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "HOME="+dir, "TIDEPOOL_PROJECT_DIR="+dir, "TIDEPOOL_AUTOSTART=0") // it writes to its home
	var output, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &complaints
	err := cmd.Run()
	if failed := cmd.ProcessState; err != nil && failed != nil && strings.Contains(output.String(), `"isError":true`) {
		return output.String(), nil // it tells of a tool's failure by its exit status, too
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.String()))
	}
	return output.String(), err
}
