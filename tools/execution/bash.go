package execution

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/preview"
	"tidepool/internal/sandbox"
	"tidepool/internal/scrub"
	"tidepool/internal/wording"
	"tidepool/tools"
)

// maxCommand bounds a command in bytes: Linux takes no longer argument.
const maxCommand = 128<<10 - 1

// SafeBashInput is what safe_bash takes.
type SafeBashInput struct {
	Cmd        string `json:"cmd" jsonschema:"minLength=1" jsonschema_description:"The command line, for sh -c."`
	Timeout    int    `json:"timeout,omitempty" jsonschema:"minimum=1,maximum=300" jsonschema_description:"Seconds after which it ends with all its processes. Without it, 30."`
	WorkingDir string `json:"working_dir,omitempty" jsonschema:"maxLength=4096" jsonschema_description:"Where it runs: a directory of the project. Without it, yours."`
	Network    bool   `json:"network,omitempty" jsonschema_description:"It needs the network; the user is asked."`
	Preview    int    `json:"preview,omitempty" jsonschema:"minimum=100,maximum=4000,default=500" jsonschema_description:"Characters of the preview."`
	SessionID  string `json:"session_id,omitempty" jsonschema:"maxLength=128" jsonschema_description:"Only for clients without hooks."`
}

// SafeBashOutput is what safe_bash returns.
type SafeBashOutput struct {
	Summary       string         `json:"summary"`
	StdoutPreview string         `json:"stdout_preview"`
	StderrPreview string         `json:"stderr_preview"`
	StdoutRef     string         `json:"stdout_ref"` // of the whole text; "": the previews are all of it, or a note says why there is none
	StderrRef     string         `json:"stderr_ref"`
	ExitCode      int            `json:"exit_code"`          // 124 if the time was over, 128 and more if a signal ended it
	TokensUsed    int            `json:"tokens_used"`        // about, of the text
	Isolation     sandbox.Level  `json:"isolation"`          // full, partial or none
	Missing       []string       `json:"missing,omitempty"`  // what the isolation does not hold
	TimedOut      bool           `json:"timed_out"`          // the time was over
	Limit         string         `json:"limit,omitempty"`    // what ended it: memory or processes
	Signal        string         `json:"signal,omitempty"`   // what ended it, as SIGSEGV
	Truncated     bool           `json:"truncated"`          // more came than is kept
	Secrets       map[string]int `json:"secrets,omitempty"`  // that were replaced, by name of the rule
	Lines         int            `json:"lines"`              // of both streams
	DurationMS    int64          `json:"duration_ms"`        //
	Held          []string       `json:"held,omitempty"`     // protected paths that it made, moved away
	Restored      []string       `json:"restored,omitempty"` // protected files that it changed, put back
	Calls         int            `json:"calls,omitempty"`    // of tools, by the command itself
	Notes         []string       `json:"notes,omitempty"`    // what is missing, and why

	text string
}

// SafeBash runs a command.
func (t *Toolset) SafeBash(ctx context.Context, call tools.Call, in SafeBashInput) (*SafeBashOutput, error) {
	u, err := t.begin(ctx, call, in.SessionID, in.Cmd)
	if err != nil {
		return nil, err
	}
	input := maps.Clone(u.entry.Secrets)
	spec, err := t.spec(ctx, u, in)
	if err != nil {
		return nil, u.refused(err)
	}
	line := &callLine{use: u}
	if u.Broker != nil {
		spec.Socket = line.open
	}
	outcome, err := u.Commands.Run(ctx, spec)
	calls, notes := line.close()
	if err != nil {
		return nil, u.refused(err)
	}
	return u.result(in, outcome, input, calls, notes), nil
}

// spec returns the command as it may run.
func (t *Toolset) spec(ctx context.Context, u *use, in SafeBashInput) (sandbox.Spec, error) {
	if err := checkCommand(in.Cmd); err != nil {
		return sandbox.Spec{}, err
	}
	dir, err := t.workingDir(u.call.Caller.Dir, in.WorkingDir)
	if err != nil {
		return sandbox.Spec{}, err
	}
	if err := t.permitCommand(ctx, u, in); err != nil {
		return sandbox.Spec{}, err
	}
	timeout := u.Limits.Timeout
	if in.Timeout > 0 {
		timeout = time.Duration(in.Timeout) * time.Second
	}
	return sandbox.Spec{
		Args: []string{"sh", "-c", in.Cmd}, Dir: dir, Env: u.Env, Session: u.session, Network: in.Network, Accept: u.Limits.Accept, Timeout: timeout,
		MemoryMB: u.Limits.MemoryMB, Processes: u.Limits.Processes, OutputBytes: u.Limits.OutputBytes,
	}, nil
}

// checkCommand returns why a command cannot run, wherever it is.
func checkCommand(command string) error {
	switch {
	case strings.TrimSpace(command) == "":
		return &refusedError{"there is no command", "give a command line in cmd"}
	case strings.ContainsRune(command, 0):
		return &refusedError{"the command contains a NUL character", `a shell takes none; write it as an escape: printf '\000'`}
	case len(command) > maxCommand:
		return &refusedError{fmt.Sprintf("the command has %s bytes, at most %s", number(len(command)), number(maxCommand)), "write it to a file with safe_write, and run that"}
	case scrub.HasToken(command):
		return tokenError("the command")
	}
	return nil
}

// workingDir returns the directory of a command, which the sandbox checks again.
func (t *Toolset) workingDir(caller, given string) (string, error) {
	if given == "" {
		given = "."
	}
	rel, err := t.below(caller, given)
	if err != nil {
		return "", err
	}
	return filepath.Join(t.Root, filepath.FromSlash(rel)), nil
}

// permitCommand returns why the policy or the user does not let a command run.
func (t *Toolset) permitCommand(ctx context.Context, u *use, in SafeBashInput) error {
	input := map[string]any{"command": in.Cmd}
	if in.Network {
		input["network"] = true
	}
	verdict, err := t.permit(ctx, u, "Bash", "Run: "+in.Cmd, input)
	if err != nil || !in.Network {
		return err
	}
	return t.network(ctx, u, in.Cmd, verdict)
}

// result returns what a model reads of a command that has run.
func (u *use) result(in SafeBashInput, o sandbox.Outcome, input map[string]int, calls int, notes []string) *SafeBashOutput {
	stdout, stderr := u.stream(o.Stdout), u.stream(o.Stderr)
	p := preview.Of(preview.Input{Command: u.entry.Input, Exit: o.Exit, Stdout: stdout, Stderr: stderr}, in.Preview)
	out := &SafeBashOutput{
		Summary:       fmt.Sprintf("Executed: %s (exit %d, %s)", wording.Line(wording.Visible(u.entry.Input), 80), o.Exit, wording.Count(p.Lines, "line")),
		StdoutPreview: p.Stdout, StderrPreview: p.Stderr, ExitCode: o.Exit, Isolation: o.Isolation, Missing: o.Missing, TimedOut: o.TimedOut,
		Limit: o.Limit, Signal: o.Signal, Truncated: isCut(o.Stdout) || isCut(o.Stderr), Lines: p.Lines, DurationMS: o.Duration.Milliseconds(),
		Held: o.Held, Restored: o.Restored, Secrets: u.shown(input), Calls: calls, Notes: notes,
	}
	var kept []string
	if !p.Whole {
		out.StdoutRef = u.keep(stdout, "stdout", out, &kept)
		out.StderrRef = u.keep(stderr, "stderr", out, &kept)
	}
	u.hash(stdout, stderr)
	u.entry.Exit, u.entry.Bytes, u.entry.Isolation = &o.Exit, o.Stdout.Total+o.Stderr.Total, string(o.Isolation)
	if err := u.end(); err != nil {
		out.Notes = append(out.Notes, err.Error())
	}
	out.text = out.render(o, p.Text, kept)
	out.TokensUsed = tokensOf(out.text)
	return out
}

// stream returns the text of a stream, scrubbed whole, and then made valid UTF-8.
func (u *use) stream(o sandbox.Output) string {
	scrubbed := u.scrub
	if isCut(o) {
		scrubbed = u.scrubBeginning
	}
	return strings.ToValidUTF8(scrubbed(string(o.Text)), "\uFFFD")
}

func isCut(o sandbox.Output) bool { return o.Total > int64(len(o.Text)) }

// keep keeps the text of a stream and returns its reference. That it cannot is a note.
func (u *use) keep(text, stream string, out *SafeBashOutput, kept *[]string) string {
	if text == "" {
		return ""
	}
	id, err := u.Refs.Put(u.session, []byte(text))
	if err != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("all of %s is not kept: %v", stream, err))
		return ""
	}
	*kept = append(*kept, fmt.Sprintf(`ref_content {"ref":"%s"} (%s, %s)`, id, stream, size(len(text))))
	return id
}
