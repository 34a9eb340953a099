package doctor

import (
	"context"
	"strings"
)

// Sandbox checks how far commands are confined.
type Sandbox struct {
	Enabled bool   // the safe tools are, in the settings
	Accept  string // the lowest level that the settings accept: full, partial or none
	// Support finds out how far commands are confined: the level, what that does not hold, and which step failed on the way to a higher
	// level, "" for full.
	Support func(ctx context.Context) (level string, missing []string, failed string, err error)
}

// Look runs a command in the sandbox.
func (s Sandbox) Look(ctx context.Context) []Finding {
	const name = "sandbox"
	if !s.Enabled {
		return []Finding{fine(name, "switched off by exec.enabled")}
	}
	level, missing, failed, err := s.Support(ctx)
	if err != nil {
		return []Finding{trouble(name, "look at agent logs", err)}
	}
	text := "isolation " + level
	if failed != "" {
		text += ", because " + failed
	}
	if len(missing) > 0 {
		text += "; not held: " + strings.Join(missing, "; ")
	}
	if level == "full" || level == s.Accept || s.Accept == "none" {
		return []Finding{fine(name, "%s", text)}
	}
	fix := "allow user namespaces: sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0, a container with an unmasked /proc"
	if level == "partial" {
		fix += `; or accept it by "exec": {"accept": "partial"} in a settings file that git does not track`
	}
	return []Finding{problem(name, fix, "safe_bash runs nothing: %s", text)}
}
