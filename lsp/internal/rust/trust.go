package rust

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/toml"
)

// arming are files that have cargo or rust-analyzer run programs of their choice, whatever a client has set. They name
// the compiler itself, what is put before it, its flags (a code generator is loaded into it), the programs that give
// credentials, and the commands that stand for build scripts. Cargo reads its own in the directory where it works and all
// above; a rust-project.json names the directory of the compiler.
func arming() []string {
	return []string{
		filepath.Join(".cargo", "config.toml"), filepath.Join(".cargo", "config"),
		"rust-analyzer.toml", ".rust-analyzer.toml", "rust-project.json", ".rust-project.json",
	}
}

// restrain: rust-analyzer runs the build scripts and procedural macros of the project and of all that it depends on,
// and rustup the toolchain that a rust-toolchain.toml names, also by a path in the project. Two settings and a variable
// prevent that; nothing prevents what arming names.
func restrain(l session.Launch) (session.Restraint, error) {
	lookup := func(key string) string { return session.Getenv(l.Env, key) }
	if armed := armed(l, lookup); armed != "" {
		return session.Restraint{}, &session.UntrustedError{Command: l.Language.Program(), Why: armed + " may name programs that it runs"}
	}
	r := session.Restraint{
		Settings: map[string]any{
			"cargo":     map[string]any{"buildScripts": map[string]any{"enable": false}},
			"procMacro": map[string]any{"enable": false},
		},
		Held: "Rust's build scripts and procedural macros",
	}
	r.Lacks = fmt.Sprintf("%s runs no build scripts and procedural macros, so what they make is missing: %s", l.Language.Program(), session.UntrustedNote)
	if chain := toolchain(l.Dir, lookup); chain != "" {
		r.Env = []string{"RUSTUP_TOOLCHAIN=" + chain}
	}
	return r, nil
}

// armed returns the path of a file of arming that counts for the server's projects; "" if there is none. What lies in the
// home directory, or is cargo's own, is the user's.
func armed(l session.Launch, lookup func(string) string) string {
	home, own := filepath.Clean(lookup("HOME")), filepath.Clean(lookup("CARGO_HOME"))
	dirs := map[string]bool{}
	note := func(dir string) {
		for ; !dirs[dir] && dir != home && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			dirs[dir] = true
		}
	}
	for _, root := range l.Roots {
		note(root)
	}
	for _, path := range l.Host.Sources() {
		note(filepath.Dir(path))
	}
	var armed []string
	for dir := range dirs {
		for _, name := range arming() {
			path := filepath.Join(dir, name)
			if _, err := os.Lstat(path); err == nil && filepath.Dir(path) != own {
				armed = append(armed, path)
			}
		}
	}
	if len(armed) == 0 {
		return ""
	}
	slices.Sort(armed)
	return disk.Relative(l.Dir, armed[0])
}

// toolchain returns the toolchain that the user has chosen for a directory, by which rustup looks at no file of the project:
// that of an override, else the default. "" where there is no rustup, or a variable says it already.
func toolchain(dir string, lookup func(string) string) string {
	home := lookup("RUSTUP_HOME")
	if home == "" && lookup("HOME") != "" {
		home = filepath.Join(lookup("HOME"), ".rustup")
	}
	if !disk.IsDir(home) || lookup("RUSTUP_TOOLCHAIN") != "" {
		return ""
	}
	text, _ := os.ReadFile(filepath.Join(home, "settings.toml"))
	chosen, _ := toml.String(string(text), "default_toolchain")
	longest := ""
	for line := range strings.Lines(toml.Table(string(text), "[overrides]")) {
		key, value, ok := strings.Cut(line, "=")
		at := strings.Trim(strings.TrimSpace(key), `"'`)
		if ok && disk.Inside(at, dir) && len(at) > len(longest) {
			longest, chosen = at, strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	if chosen == "" {
		return "stable" // without any choice rustup would take the file's
	}
	return chosen
}
