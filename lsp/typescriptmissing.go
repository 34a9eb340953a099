package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tsEnviron refuses to start without a tsserver: typescript-language-server takes that of the project, else the one that
// is installed beside itself, and ends with a stack trace if there is neither.
func tsEnviron(s *session) ([]string, error) {
	s.own = &tsInstalled{}
	if own, ok := s.language.Settings["tsserver"].(map[string]any); ok && (own["path"] != nil || own["fallbackPath"] != nil) {
		return nil, nil // a person has said where it is
	}
	program, err := lookup(*s.language, s.root, s.server.project.env)
	if err != nil {
		return nil, err
	}
	if direct, err := filepath.EvalSymlinks(program); err == nil {
		program = direct
	}
	if !strings.Contains(filepath.ToSlash(program), "/typescript-language-server/") {
		return nil, nil // started by a program of somebody else's, which knows where
	}
	for _, dir := range []string{s.root, filepath.Dir(program)} {
		if tsServerAbove(dir) {
			return nil, nil
		}
	}
	return nil, &tsMissingError{version: tsVersion(s.root), install: s.language.Install}
}

// tsServerAbove says whether there is a tsserver in the node_modules of dir or a directory above.
func tsServerAbove(dir string) bool {
	return findUp(dir, filepath.Join("node_modules", "typescript", "lib", "tsserver.js")) != ""
}

// tsVersion is the version of the TypeScript that a project has installed; "" if it has none.
func tsVersion(root string) string {
	data, err := os.ReadFile(findUp(root, filepath.Join("node_modules", "typescript", "package.json")))
	if err != nil {
		return ""
	}
	var manifest struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(data, &manifest) != nil {
		return ""
	}
	return manifest.Version
}

// A tsMissingError says that there is no tsserver to run.
type tsMissingError struct {
	version string // of TypeScript in the project; "": it has none
	install string // command that installs one
}

// Error says what the project has instead.
func (e *tsMissingError) Error() string {
	has := "has no TypeScript"
	if e.version != "" {
		has = fmt.Sprintf("has TypeScript %s, which has no tsserver", e.version)
	}
	return "typescript-language-server has no tsserver to run: the project " + has + ", and there is none beside it"
}

// Hint says what installs one.
func (e *tsMissingError) Hint() string { return "run: " + e.install }
