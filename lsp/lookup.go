package lsp

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// lookup finds the program of a language: a path is taken as it is (relative ones from the root); a bare
// name is looked for in PATH of env, beside the running binary, and in the language's BinDirs, in this order.
// So a person's own version wins over the one that came with us, and a daemon started with a short PATH
// still finds what is installed.
func lookup(language Language, root string, env []string) (string, error) {
	name := language.Command[0]
	if strings.ContainsRune(name, filepath.Separator) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(root, name)
		}
		if executable(name) {
			return name, nil
		}
		return "", &MissingError{Language: language, Path: name}
	}
	for _, dir := range searchDirs(language, env) {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(path) && executable(path) {
			return path, nil
		}
	}
	return "", &MissingError{Language: language}
}

func searchDirs(language Language, env []string) []string {
	get := func(key string) string { return getenv(env, key) }
	dirs := filepath.SplitList(get("PATH"))
	if self, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(self))
	}
	if language.BinDirs != nil {
		dirs = append(dirs, language.BinDirs(get)...)
	}
	return dirs
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (info.Mode()&0o111 != 0 || runtime.GOOS == "windows")
}

// getenv reads a variable of env; like the system, the last one of a name counts.
func getenv(env []string, key string) string {
	value := ""
	for _, entry := range env {
		if name, rest, found := strings.Cut(entry, "="); found && name == key {
			value = rest
		}
	}
	return value
}
