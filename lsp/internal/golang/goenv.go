package golang

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// withGoEnv returns a lookup of variables that has, beside those of the environment, what a person has set by `go env -w`.
func withGoEnv(environ func(string) string) func(string) string {
	data, err := os.ReadFile(goEnvFile(environ))
	if err != nil {
		return environ // without the file nothing is set so
	}
	return func(name string) string {
		if value := environ(name); value != "" {
			return value
		}
		for line := range strings.Lines(string(data)) {
			if value, is := strings.CutPrefix(strings.TrimRight(line, "\r\n"), name+"="); is {
				return value
			}
		}
		return ""
	}
}

// goEnvFile returns where `go env -w` writes, "" if that is switched off or not known.
func goEnvFile(environ func(string) string) string {
	home := environ("HOME")
	switch file := environ("GOENV"); {
	case file == "off":
		return ""
	case file != "":
		return file
	case environ("XDG_CONFIG_HOME") != "" && runtime.GOOS != "darwin":
		return filepath.Join(environ("XDG_CONFIG_HOME"), "go", "env")
	case home == "":
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Application Support", "go", "env")
	}
	return filepath.Join(home, ".config", "go", "env")
}
