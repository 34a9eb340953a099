package main

import (
	"os/exec"
	"strings"
	"testing"

	"tidepool/internal/usage"
)

// TestCompletionOfBothPrograms checks that what the programs print of themselves is a script, and has every command that agent hands over.
func TestCompletionOfBothPrograms(t *testing.T) {
	dir := t.TempDir()
	for _, of := range []string{"agent", "controlserver"} {
		made := runProgram(t, dir, nil, "completion", "bash", "--of", of)
		made.want(t, 0, "complete -o bashdefault -o default -F _"+of+" "+of+"\n", "")
		check := exec.CommandContext(t.Context(), "bash", "-n")
		check.Stdin = strings.NewReader(made.out)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("bash -n: %v\n%s", err, out)
		}
		runProgram(t, dir, nil, "completion", "zsh", "--of", of).want(t, 0, "#compdef "+of+"\n", "")
		runProgram(t, dir, nil, "completion", "fish", "--of", of).want(t, 0, "complete -c "+of+" ", "")
		runProgram(t, dir, nil, "manual-page", of, "0.2.0").want(t, 0, `"tidepool 0.2.0" tidepool`, "")
	}
	page := runProgram(t, dir, nil, "manual-page", "agent", "0.2.0").out
	for _, name := range usage.Names(func(usage.Command) bool { return true }) {
		if !strings.Contains(page, `.SS "agent `+name) {
			t.Errorf("agent hands %s over, and controlserver does not know it", name)
		}
	}
	runProgram(t, dir, nil, "completion", "tcsh").want(t, 2, "", "must be one of")
}
