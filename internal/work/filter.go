package work

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// gitStatus runs git status. Files that may have changed are sent through the filters that the repository's configuration
// names, which an archive can bring along: in a project that is not trusted they are switched off, and submodules, which
// have configurations of their own, are not looked into.
func (w *Work) gitStatus(ctx context.Context, args ...string) (string, error) {
	if w.trusts() {
		return w.git(ctx, args...)
	}
	names, err := w.git(ctx, "config", "--null", "--name-only", "--get-regexp", `^filter\.`)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // 1: there are none
		return "", err
	}
	plain := *w
	plain.runner.env = append(slices.Clone(w.runner.env), switchedOff(names)...)
	return plain.git(ctx, append(args, "--ignore-submodules=dirty")...)
}

// switchedOff are variables that give these keys of a configuration, each ended by NUL, an empty value.
func switchedOff(keys string) []string {
	var env []string
	count := 0
	for key := range strings.SplitSeq(strings.TrimSuffix(keys, "\x00"), "\x00") {
		if key == "" {
			continue
		}
		value := ""
		if strings.HasSuffix(key, ".required") {
			value = "false"
		}
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, value))
		count++
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", count))
}
