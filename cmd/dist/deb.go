package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A debPackage is the configuration of nfpm: YAML, of which JSON is a part.
type debPackage struct {
	Name        string       `json:"name"`
	Arch        string       `json:"arch"`
	Platform    string       `json:"platform"`
	Version     string       `json:"version"`
	Section     string       `json:"section"`
	Priority    string       `json:"priority"`
	Maintainer  string       `json:"maintainer"`
	Description string       `json:"description"`
	License     string       `json:"license"`
	Mtime       time.Time    `json:"mtime"`
	Suggests    []string     `json:"suggests"`
	Contents    []debContent `json:"contents"`
}

type debContent struct {
	Src      string   `json:"src"`
	Dst      string   `json:"dst"`
	Type     string   `json:"type,omitempty"`
	FileInfo *debInfo `json:"file_info,omitempty"`
}

type debInfo struct {
	Mode  int       `json:"mode"`
	Mtime time.Time `json:"mtime"`
	Owner string    `json:"owner"`
	Group string    `json:"group"`
}

// debPath returns where Debian has an entry of a tarball; "": nowhere.
func debPath(name string) string {
	switch {
	case name == "LICENSE":
		return "/usr/share/doc/tidepool/copyright"
	case name == "CHANGELOG.md", name == "README.md":
		return "/usr/share/doc/tidepool/" + name
	case strings.HasPrefix(name, "share/zsh/"):
		return "/usr/share/zsh/vendor-completions/" + filepath.Base(name)
	case strings.HasPrefix(name, "bin/"), strings.HasPrefix(name, "share/"):
		return "/usr/" + name
	}
	return "" // install.sh and what it needs
}

// debConfig returns the configuration of the package with the entries, which lie below tree.
func (s *source) debConfig(t target, entries []entry, tree string) debPackage {
	p := debPackage{
		Name: "tidepool", Arch: t.arch, Platform: t.os, Version: s.version, Section: "devel", Priority: "optional",
		Maintainer: "The tidepool authors", License: "MIT", Mtime: s.time, Suggests: []string{"gopls", "clangd", "bubblewrap"},
		Description: "warm language servers for Claude Code\nOne daemon per project that answers Claude Code's hooks and tool calls.",
	}
	for _, e := range sorted(entries) {
		to := debPath(e.name)
		info := &debInfo{Mode: int(e.mode.Perm()), Mtime: s.time, Owner: "root", Group: "root"}
		switch {
		case to == "" || e.mode.IsDir():
		case e.link != "":
			p.Contents = append(p.Contents, debContent{Src: e.link, Dst: to, Type: "symlink", FileInfo: info})
		default:
			p.Contents = append(p.Contents, debContent{Src: filepath.Join(tree, filepath.FromSlash(e.name)), Dst: to, FileInfo: info})
		}
	}
	return p
}

// writeDeb has nfpm write the Debian package of a target.
func (s *source) writeDeb(ctx context.Context, t target, entries []entry, work, out string) error {
	tree := filepath.Join(work, "tree-"+t.arch)
	if err := lay(tree, entries); err != nil {
		return err
	}
	data, err := json.MarshalIndent(s.debConfig(t, entries, tree), "", "\t")
	if err != nil {
		return err
	}
	config := filepath.Join(work, t.arch+".yaml")
	if err := os.WriteFile(config, data, 0o644); err != nil {
		return err
	}
	path, err := filepath.Abs(filepath.Join(out, fmt.Sprintf("tidepool_%s_%s.deb", s.version, t.arch)))
	if err != nil {
		return err
	}
	env := []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", s.time.Unix())}
	cmd := s.command(ctx, env, filepath.Join(s.root, "bin", "nfpm"), "package", "--config", config, "--packager", "deb", "--target", path)
	if said, err := cmd.Output(); err != nil {
		return fmt.Errorf("nfpm, which make bin/nfpm builds: %w\n%s", err, said)
	}
	return nil
}
