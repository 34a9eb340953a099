package sandbox

import (
	"os"
	"path/filepath"
)

// ProgramOf returns what Options.Program is for a daemon: the agent beside its executable, which starts in 1 ms of processor time, or
// the executable itself, which takes 15. Both do the same.
func ProgramOf(executable string) []string {
	agent := filepath.Join(filepath.Dir(executable), "agent")
	if info, err := os.Stat(agent); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
		return []string{agent, "sandbox"}
	}
	return []string{executable, "sandbox"}
}
