package recollect

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"tidepool/internal/hook"
	"tidepool/internal/recall/extract"
	"tidepool/protocol"
)

// shell is the tool that runs commands.
const shell = "Bash"

// useOf returns the use of a tool that an event reports. A command that goes on in the background has not ended: false.
func useOf(e *hook.Event, now time.Time) (use extract.ToolUse, ended bool) {
	use = extract.ToolUse{Name: e.ToolName, File: e.Edited(), Failed: e.Event == protocol.PostToolUseFailure, At: now}
	if e.ToolName != shell {
		return use, true
	}
	var input struct {
		Command    string `json:"command"`
		Background bool   `json:"run_in_background"`
	}
	if json.Unmarshal(e.ToolInput, &input) != nil || input.Background {
		return use, false
	}
	use.Command = input.Command
	if use.Failed {
		use.Exit, use.Output = failureOf(e)
		return use, true
	}
	var response struct {
		Stdout, Stderr string
		Interrupted    bool
		Task           string `json:"backgroundTaskId"`
	}
	if json.Unmarshal(e.ToolResponse, &response) != nil || response.Task != "" {
		return use, false
	}
	use.Output = strings.TrimSuffix(response.Stdout+"\n"+response.Stderr, "\n")
	if response.Interrupted {
		use.Exit = -1
	}
	return use, true
}

// failureOf returns the status and the output of a command that failed: "Exit code 3", a line feed, and what it printed. Without
// the first line the command did not end by itself.
func failureOf(e *hook.Event) (exit int, output string) {
	first, rest, _ := strings.Cut(e.Error, "\n")
	code, found := strings.CutPrefix(first, "Exit code ")
	exit, err := strconv.Atoi(code)
	var interrupted bool
	_ = json.Unmarshal(e.Field("is_interrupt"), &interrupted) // absent: false
	if !found || err != nil {
		return -1, e.Error
	}
	if interrupted {
		exit = -1
	}
	return exit, rest
}
