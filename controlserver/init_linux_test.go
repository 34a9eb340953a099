package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
)

// A person at a terminal is shown what would change, and asked.
func TestInitAsks(t *testing.T) {
	agentBeside(t)
	for answer, made := range map[string]bool{"y\n": true, "YES\n": true, "n\n": false, "\n": false, "\x04": false} {
		dir := daemontest.Project(t)
		person, terminal := openTerminal(t)
		var out, errs bytes.Buffer
		cmd := program(t, dir, []string{"HOME=" + daemontest.Project(t), "OLLAMA_HOST=127.0.0.1:1"}, "init")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = terminal.Close()
		if _, err := io.WriteString(person, answer); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if !strings.Contains(out.String(), "+++ "+dir+"/.mcp.json") || !strings.Contains(errs.String(), "Shall this be written? [y/N] ") {
			t.Errorf("%q: it did not ask: %s%s", answer, out.String(), errs.String())
		}
		if summary, rest, _ := strings.Cut(out.String(), "\n"); !strings.Contains(rest, "\n"+summary+"\n") {
			t.Errorf("%q: below the diff there is no %q", answer, summary)
		}
		if got := files(t, dir) != ""; got != made || !cmd.ProcessState.Success() || strings.Contains(out.String(), "nothing was changed") == made {
			t.Errorf("%q: made %v, %v, %s", answer, files(t, dir), cmd.ProcessState, errs.String())
		}
	}
}
