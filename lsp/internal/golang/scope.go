package golang

import (
	"go/build"
	"path/filepath"
	"strings"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// scope is what gopls loads of a directory tree, by the rules of the go command: the modules of go.work or
// else the one of the root, without the files that build constraints leave out. gopls has no request that
// lists the files it has loaded.
type scope struct {
	root    string
	modules map[string]bool // directories of the modules that are loaded
	build   build.Context
}

// outside makes a scope from the manifests as they are now.
func outside(language *session.Language, root string, lookup func(string) string) func(string) string {
	s := &scope{root: root, modules: map[string]bool{}, build: buildFor(language, lookup)}
	work := lookup("GOWORK")
	if work == "" {
		work = disk.FindUp(root, "go.work")
	}
	if work == "" || work == "off" {
		if mod := disk.FindUp(root, "go.mod"); mod != "" {
			s.modules[filepath.Dir(mod)] = true
		}
		return s.outside
	}
	for _, dir := range uses(work) {
		s.modules[dir] = true
	}
	return s.outside
}

// buildFor returns the build configuration that the environment and the flags in it ask for.
func buildFor(language *session.Language, lookup func(string) string) build.Context {
	context := build.Default
	for key, field := range map[string]*string{"GOOS": &context.GOOS, "GOARCH": &context.GOARCH} {
		if value := lookup(key); value != "" {
			*field = value
		}
	}
	if value := lookup("CGO_ENABLED"); value != "" {
		context.CgoEnabled = value == "1"
	}
	flags := strings.Fields(lookup("GOFLAGS"))
	if more, ok := language.Settings["buildFlags"].([]any); ok {
		for _, flag := range more {
			if text, ok := flag.(string); ok {
				flags = append(flags, text)
			}
		}
	}
	for _, flag := range flags {
		if tags, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "tags="); ok {
			context.BuildTags = strings.Split(tags, ",")
		}
	}
	return context
}

// outside returns why path is not loaded.
func (s *scope) outside(path string) string {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if s.ignored(dir) {
		return ""
	}
	mod := disk.FindUp(dir, "go.mod")
	if mod == "" && dir != s.root {
		return "belongs to no module"
	}
	if mod != "" && !s.modules[filepath.Dir(mod)] {
		return "belongs to a module that is not part of the workspace (see go.work)"
	}
	if match, err := s.build.MatchFile(dir, name); err == nil && !match {
		return "is left out of the build for " + s.build.GOOS + "/" + s.build.GOARCH
	}
	return ""
}

// ignored reports whether `go list ./...` passes over a directory by its name.
func (s *scope) ignored(dir string) bool {
	below, err := filepath.Rel(s.root, dir)
	return err == nil && ignored(below)
}
