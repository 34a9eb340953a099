package archive

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"tidepool/internal/conversation"
	"tidepool/internal/conversation/quote"
)

// Resume becomes Claude Code in a session's own directory. It returns only with an error: a *ResumeError if the session cannot be
// resumed.
func Resume(s conversation.Summary) error {
	if err := resumable(s); err != nil {
		return err
	}
	claude, err := exec.LookPath("claude")
	if err != nil {
		return &ResumeError{s.Session, "there is no claude in PATH", "install Claude Code, or put its directory into PATH"}
	}
	if err := os.Chdir(s.Cwd); err != nil {
		return &ResumeError{s.Session, "its directory cannot be entered: " + err.Error(), readHint(s)}
	}
	return fmt.Errorf("starting %s: %w", claude, syscall.Exec(claude, []string{"claude", "--resume", s.Session}, os.Environ()))
}

func resumable(s conversation.Summary) error {
	switch {
	case s.Source != "" && s.Source != "claude":
		return &ResumeError{s.Session, "it is a session of " + s.Source, readHint(s)}
	case s.Subagent:
		return &ResumeError{s.Session, "it is a subagent's", readHint(s)}
	case !s.Resumable:
		return &ResumeError{s.Session, "Claude Code has deleted its transcript", readHint(s)}
	case !quote.ResumableID(s.Session):
		return &ResumeError{s.Session, "its id is none that Claude Code gives", readHint(s)}
	case s.Cwd == "":
		return &ResumeError{s.Session, "its transcript does not say where it ran", readHint(s)}
	}
	if info, err := os.Stat(s.Cwd); err != nil || !info.IsDir() {
		return &ResumeError{s.Session, "its directory " + s.Cwd + " is gone", readHint(s)}
	}
	return nil
}

// readHint says how a session is read instead.
func readHint(s conversation.Summary) string {
	return "read it: agent conversations show " + quote.ID(s.Session)
}

// A ResumeError means that a session cannot be resumed.
type ResumeError struct {
	Session string
	why     string
	hint    string
}

func (e *ResumeError) Error() string {
	return "session " + quote.ID(e.Session) + " cannot be resumed: " + e.why
}

// Hint says what can be done instead.
func (e *ResumeError) Hint() string { return e.hint }
