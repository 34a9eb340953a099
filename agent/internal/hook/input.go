package hook

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
	"time"

	"tidepool/agent/internal/launch"
	"tidepool/agent/internal/secret"
	"tidepool/protocol"
)

// maxInput leaves room on the line for the members of a HookEvent around the input.
const maxInput = protocol.MaxLine - 1024

// An inputError is what is wrong with the hook's input. It quotes none of it.
type inputError struct{ reason string }

func (e *inputError) Error() string { return e.reason }

func (e *inputError) Hint() string {
	return "send one JSON object on stdin, as Claude Code does"
}

// readInput reads stdin to its end. With an error it also returns what it has read.
func readInput(stdin *os.File, deadline time.Time) ([]byte, error) {
	input, err := readAll(withDeadline(stdin, deadline), maxInput+1)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return input, &inputError{"the hook's input did not end in time"}
	case err != nil:
		return input, &inputError{fmt.Sprintf("cannot read the hook's input: %v", err)}
	case len(input) > maxInput:
		return nil, &inputError{fmt.Sprintf("the hook's input is larger than %d bytes", maxInput)}
	case len(input) == 0:
		return nil, &inputError{"the hook's input is empty"}
	}
	return input, nil
}

// event wraps the unchanged input for the daemon, after checking that it is one
// JSON object with nothing after it, which would become a part of the line. The
// check uses the scanner that reads the daemon's reply, whose pages the process
// touches anyway; json.Valid would take 3.5 % of a hook's time.
func (h *Hook) event(place protocol.Place, input []byte) (*protocol.HookEvent, error) {
	kind, err := protocol.KindOfHook(input)
	if err != nil {
		return nil, noObject(err)
	}
	event := &protocol.HookEvent{Input: input, Runtime: h.Runtime, NoRecall: launch.IsOff(h.Getenv("TIDEPOOL_RECALL"))}
	h.addFingerprints(place, event)
	if kind.Event != h.Event {
		event.Event = h.Event
	}
	if h.Event == protocol.PreToolUse && kind.ToolName == "" {
		return nil, &inputError{"the hook's input does not say which tool is called (tool_name)"}
	}
	return event, nil
}

// addFingerprints adds what the daemon needs to find the session's secrets in texts. It does so when a session starts, and at each
// prompt, because another daemon may have started since. Other hooks do not pay for it.
func (h *Hook) addFingerprints(place protocol.Place, event *protocol.HookEvent) {
	if h.Environ == nil || h.Event != protocol.SessionStart && h.Event != protocol.UserPromptSubmit {
		return
	}
	source := secret.Source{Place: place, Dir: h.Dir, Environ: h.Environ(), Getenv: h.Getenv}
	prints, err := source.Fingerprints()
	if err != nil {
		fmt.Fprintf(h.Stderr, "tidepool: not every secret can be kept from the model: %v\n", err)
	}
	if len(prints)+len(event.Input) <= maxInput {
		event.Fingerprints = prints
	}
}

// noObject wraps an error of protocol.DecodeHookInput, which quotes at most one
// character of the input.
func noObject(err error) *inputError {
	return &inputError{fmt.Sprintf("the hook's input is no JSON object: %v", errors.Unwrap(err))}
}

// readAll is io.ReadAll up to limit. Its first buffer fits a usual event: each time
// it grows costs two page faults.
func readAll(r io.Reader, limit int) ([]byte, error) {
	all := make([]byte, 0, 8<<10)
	for {
		n, err := r.Read(all[len(all):cap(all)])
		all = all[:len(all)+n]
		switch {
		case err == io.EOF:
			return all, nil
		case err != nil || len(all) >= limit:
			return all, err
		case len(all) == cap(all):
			all = slices.Grow(all, len(all))
		}
	}
}

// withDeadline returns a reader of f that fails at the deadline.
func withDeadline(f *os.File, deadline time.Time) io.Reader {
	if f.SetReadDeadline(deadline) == nil || f.Fd() != 0 {
		return f
	}
	return &deadlineStdin{f, deadline}
}

// A deadlineStdin waits with select(2) before each read. An inherited stdin blocks,
// and making it non-blocking would affect every process that shares it.
type deadlineStdin struct {
	file     *os.File
	deadline time.Time
}

func (p *deadlineStdin) Read(b []byte) (int, error) {
	for {
		left := time.Until(p.deadline)
		if left <= 0 {
			return 0, os.ErrDeadlineExceeded
		}
		switch ready, err := selectStdin(left); {
		case err == syscall.EINTR:
		case err != nil:
			return 0, os.NewSyscallError("select", err)
		case ready:
			return p.file.Read(b)
		}
	}
}
