// Package protected knows the paths of a project that a confined command and the safe tools may not write, because what stands there runs
// later without anybody meaning to run the project's code: hooks and settings of git, settings of Claude Code and of the daemon, tasks of
// editors. It also knows the names of files of credentials.
//
// Names are compared without regard to case: two names that differ in case only may be one file.
//
// The package imports nothing but strings and slices, and opens no file.
package protected

import (
	"slices"
	"strings"
)

// Names returns the names that are protected in each directory, files and directories alike: programs look for them where they are started,
// and above. What is in a .git and in the daemon's own directory is protected besides.
func Names() []string {
	return []string{
		".claude", ".mcp.json", ".codex", ".gemini", ".cursor", ".opencode", "opencode.json", "opencode.jsonc", ".gitmodules", ".husky", ".githooks", ".overcommit.yml",
		".pre-commit-config.yaml", ".pre-commit-config.yml", "lefthook.yml", "lefthook.yaml", ".lefthook", ".lefthook.yml", ".lefthook.yaml",
		".vscode", ".idea", ".zed", ".fleet", ".devcontainer", ".devcontainer.json", ".sublime-project", ".envrc",
		".exrc", ".vim", ".vimrc", ".gvimrc", ".nvimrc", ".nvim.lua", ".dir-locals.el", ".dir-locals-2.el", ".gdbinit", ".lldbinit",
	}
}

// credentials returns names of files that hold nothing but credentials. A project's .env and .npmrc are not among them: tests need
// them, and their values are known to whoever takes secrets out of a text.
func credentials() []string {
	return []string{
		".netrc", "_netrc", ".git-credentials", ".pgpass", ".my.cnf", ".mylogin.cnf", ".pypirc", ".vault-token", ".dockercfg",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", ".htpasswd", ".boto", ".s3cfg", "application_default_credentials.json",
	}
}

// Write returns why a path must not be written, as the end of a sentence; "" if it may be. path is relative to the project and
// slash-separated, without dots; more are further protected paths of the project.
func Write(path string, more []string) string {
	path = strings.ToLower(path)
	names := strings.Split(path, "/")
	for i, name := range names {
		rest := strings.Join(names[i:], "/")
		switch {
		case name == ".git":
			return "it belongs to git"
		case name == ".tidepool":
			return "it belongs to the daemon"
		case name == ".claude":
			if isClaude(rest) {
				return "it belongs to Claude Code's settings"
			}
		case slices.Contains(Names(), name):
			return name + " is protected: programs run what it says"
		}
	}
	for _, p := range more {
		if below(path, strings.ToLower(strings.Trim(p, "/"))) {
			return "exec.protect names it"
		}
	}
	return Read(path)
}

// isClaude reports whether a path that begins with .claude is protected: all is but worktrees, in which subagents work.
func isClaude(path string) bool {
	_, rest, _ := strings.Cut(path, "/")
	tree, rest, _ := strings.Cut(rest, "/")
	return tree != "worktrees" || !strings.Contains(rest, "/")
}

// Read returns why a path must not be read, as the end of a sentence; "" if it may be. path is as for Write.
func Read(path string) string {
	names := strings.Split(strings.ToLower(path), "/")
	last := names[len(names)-1]
	switch {
	case slices.Contains(names, ".tidepool"):
		return "it belongs to the daemon"
	case slices.Contains(credentials(), last), slices.ContainsFunc(names, isKeyring):
		return "it holds credentials"
	}
	for _, pair := range [...]string{".aws/credentials", ".docker/config.json", ".kube/config", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".config/gh"} {
		if strings.Contains("/"+strings.Join(names, "/")+"/", "/"+pair+"/") {
			return "it holds credentials"
		}
	}
	return ""
}

// isKeyring reports whether a directory of that name holds nothing but credentials. A project may be a home directory.
func isKeyring(name string) bool {
	switch name {
	case ".ssh", ".gnupg", ".password-store", ".kube", ".azure", ".mozilla", ".thunderbird", "keyrings":
		return true
	}
	return false
}

// below reports whether a path is another one or stands below it.
func below(path, above string) bool { return path == above || strings.HasPrefix(path, above+"/") }
