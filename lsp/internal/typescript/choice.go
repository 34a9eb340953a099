package typescript

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/semver"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// oldest is the first version whose tsserver can be told of changes on the disk. One before it watches by itself, and
// sees them some time later.
const oldest = "5.4.4"

// own is what the entry keeps of a session.
type own struct {
	server    string               // the tsserver to run; "": that of the project
	installed map[string]time.Time // when packages were last installed, by path; nil: there was no probe yet
}

// choose chooses the tsserver: that of the project if it can be told of changes, else the one that is installed
// beside typescript-language-server, which by itself would take any, and end with a stack trace without one.
func choose(s *session.Session) ([]string, error) {
	own := &own{}
	s.Own = own
	if set, ok := s.Language.Settings["tsserver"].(map[string]any); ok && (set["path"] != nil || set["fallbackPath"] != nil) {
		return nil, nil // a person has said where it is
	}
	version := version(s.Dir)
	if at := serverAbove(s.Dir); at != "" && semver.Compare("v"+version, "v"+oldest) >= 0 && s.Restraint.Held == "" {
		if !s.Trusted {
			own.server = at // the one that was looked at
		}
		return nil, nil
	}
	program := s.Path
	if direct, err := filepath.EvalSymlinks(program); err == nil {
		program = direct
	}
	if own.server = serverAbove(filepath.Dir(program)); own.server != "" {
		return nil, nil
	}
	if s.Restraint.Held != "" {
		return nil, &session.UntrustedError{Command: s.Language.Program(), Why: "it would run " + s.Restraint.Held + ", for there is none beside it"}
	}
	if !strings.Contains(filepath.ToSlash(program), "/typescript-language-server/") && version == "" {
		return nil, nil // a program of somebody else's starts it, and knows where
	}
	return nil, &missingError{version: version, install: installBeside(program, s.Language.Install, refuses)}
}

// restrain: the tsserver in node_modules runs if the user has installed it there, and not if it came with the
// project. Links are followed first: one that came with the project may lead to another directory that did.
func restrain(l session.Launch) (session.Restraint, error) {
	at := serverAbove(l.Dir)
	if at == "" {
		return session.Restraint{}, nil
	}
	direct, err := filepath.EvalSymlinks(at)
	if err == nil && l.Host.Owns(filepath.Dir(filepath.Dir(direct))) {
		return session.Restraint{}, nil
	}
	return session.Restraint{Held: "the TypeScript that lies in the project"}, nil
}

// options returns the settings with what answers depend on, whatever a person has set.
func options(s *session.Session) map[string]any {
	options, server := map[string]any{}, map[string]any{}
	maps.Copy(options, s.Language.Settings)
	if set, ok := options["tsserver"].(map[string]any); ok {
		maps.Copy(server, set)
	}
	// Without it tsserver watches by itself. With it every change that it is told of counts for the next request: 0 of
	// 400 answers were stale, each asked at once.
	server["useClientFileWatcher"] = true
	server["useSyntaxServer"] = "never" // a second process with an older picture of the same files
	if own, ok := s.Own.(*own); ok && own.server != "" {
		server["path"] = own.server
	}
	options["tsserver"] = server
	return options
}

// serverAbove finds a tsserver in the node_modules of dir or a directory above; "" if there is none.
func serverAbove(dir string) string {
	return disk.FindUp(dir, filepath.Join("node_modules", "typescript", "lib", "tsserver.js"))
}

// version returns the version of the TypeScript that a project has installed; "" if it has none.
func version(root string) string {
	data, err := os.ReadFile(disk.FindUp(root, filepath.Join("node_modules", "typescript", "package.json")))
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

// installBeside returns the command that installs a tsserver where a typescript-language-server finds it; otherwise is what it is if
// nobody knows how npm has installed that program.
func installBeside(program, otherwise string, refuses func(dir string) bool) string {
	above, _, found := strings.Cut(filepath.ToSlash(program), "/node_modules/typescript-language-server/")
	if !found {
		return otherwise
	}
	npm, option := "npm", "--prefix"
	if refuses(above + "/node_modules") {
		npm = "sudo npm"
	}
	if prefix, global := strings.CutSuffix(above, "/lib"); global {
		above, option = prefix, "-g --prefix"
	}
	return npm + " install " + option + " '" + strings.ReplaceAll(above, "'", `'\''`) + "' " + compiler
}

// refuses reports whether the user may not write into a directory.
func refuses(dir string) bool {
	const write = 2 // W_OK of access(2)
	return errors.Is(syscall.Access(dir, write), fs.ErrPermission)
}

// A missingError means that there is no tsserver to run.
type missingError struct {
	version string // of TypeScript in the project; "": it has none
	install string // command that installs one; "": none is known
}

// Error returns what the project has instead.
func (e *missingError) Error() string {
	has := "has no TypeScript"
	switch {
	case e.version != "" && semver.Compare("v"+e.version, "v"+oldest) < 0:
		has = fmt.Sprintf("has TypeScript %s, whose tsserver cannot be told of changes (%s can)", e.version, oldest)
	case e.version != "":
		has = fmt.Sprintf("has TypeScript %s, which has no tsserver", e.version)
	}
	return "typescript-language-server has no tsserver to run: the project " + has + ", and there is none beside it"
}

// Hint says what installs one.
func (e *missingError) Hint() string {
	if e.install == "" {
		return "install " + compiler + " beside it by npm"
	}
	return "run: " + e.install
}
