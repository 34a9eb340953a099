// Package typescript serves TypeScript and JavaScript by typescript-language-server v5.3.0, before a tsserver of version 5.4.4
// or later. It declares a session.Language; most of its questions go to tsserver itself, in tsserver's protocol.
package typescript

import (
	"path/filepath"
	"strings"

	"tidepool/lsp/internal/session"
)

// compiler is the package with the tsserver that this was made for.
const compiler = "typescript@6.0.3"

// Language returns the entry for TypeScript and JavaScript, with typescript-language-server v5.3.0 before the tsserver of
// typescript v6.0.3.
func Language() session.Language {
	return session.Language{
		ID:          "typescript",
		Name:        "TypeScript",
		Command:     []string{"typescript-language-server", "--stdio"},
		Install:     "npm install -g --prefix ~/.local typescript-language-server@5.3.0 " + compiler,
		RootMarkers: []string{"tsconfig.json", "jsconfig.json", "package.json"},
		Extensions:  []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"},
		Manifests: []string{
			"*tsconfig*.json", "jsconfig*.json", "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
		},
		Folders:      true, // it looks for the project of a file around the file, wherever that is
		Linked:       true,
		LinkedOnce:   true,
		LanguageID:   languageID,
		Capabilities: capabilities(),
		Environ:      environment,
		Restrain:     restrain,
		Settings:     settings(),
		Options:      options,
		Probe:        probeProjects,
		Notified:     hear,
		SymbolLimit:  symbolLimit,
		Search:       search,
		Exact:        exact,
		Refine:       refine,
		Missed:       missed,
		BinDirs:      npmBinDirs,
		Drafting:     drafting(),
	}
}

// settings keep tsserver off the network: it would run npm install for types.
func settings() map[string]any {
	return map[string]any{"disableAutomaticTypingAcquisition": true, "hostInfo": "tidepool"}
}

// capabilities returns what useClientFileWatcher asks for.
func capabilities() map[string]any {
	return map[string]any{
		"workspace": map[string]any{"didChangeWatchedFiles": map[string]any{"relativePatternSupport": true}},
	}
}

func languageID(path string) string {
	switch filepath.Ext(path) {
	case ".tsx":
		return "typescriptreact"
	case ".jsx":
		return "javascriptreact"
	case ".js", ".mjs", ".cjs":
		return "javascript"
	}
	return "typescript"
}

// exact asks for the last component: tsserver knows no packages, and of containers only those around a member.
func exact(name string) string {
	return name[strings.LastIndexAny(name, ".#/:")+1:]
}

// refine sorts kinds out. Package holds what search makes of it, "web/src/user#Outer.Inner", or what
// call hierarchy says, which is nothing of use.
func refine(symbol *session.Symbol, line func() string) {
	symbol.Package, symbol.Receiver, _ = strings.Cut(symbol.Package, "#")
	switch symbol.Kind {
	case session.KindProperty:
		symbol.Kind = session.KindField
	case session.KindTypeParameter:
		symbol.Kind = session.KindType
	case session.KindConstant:
		symbol.Kind = session.KindVariable
	}
	if symbol.Kind != session.KindVariable {
		return
	}
	if _, rest, _ := strings.Cut(line(), symbol.Name); holdsFunction(rest) {
		symbol.Kind = session.KindFunction
	}
}

// extension returns the extension of a source file, ".d.ts" taken as one.
func extension(path string) string {
	if before, found := strings.CutSuffix(path, filepath.Ext(path)); found && strings.HasSuffix(before, ".d") {
		return ".d" + filepath.Ext(path)
	}
	return filepath.Ext(path)
}

// holdsFunction reports whether what follows a name in its declaration makes it a function: "= async (x) => …".
func holdsFunction(rest string) bool {
	at := strings.Index(rest, "= ") // no arrow: behind those stands a >
	if at < 0 {
		return false
	}
	value := strings.TrimPrefix(strings.TrimSpace(rest[at+2:]), "async ")
	if strings.HasPrefix(value, "function") {
		return true
	}
	arrow, call := strings.Index(value, "=>"), strings.IndexByte(value, '(')
	return arrow >= 0 && (call <= 0 || arrow < call)
}

// npmBinDirs returns where npm installs programs: of the person, of the system, of the Node that runs.
func npmBinDirs(lookup func(string) string) []string {
	var dirs []string
	if prefix := lookup("NPM_CONFIG_PREFIX"); prefix != "" {
		dirs = append(dirs, filepath.Join(prefix, "bin"))
	}
	if bin := lookup("NVM_BIN"); bin != "" {
		dirs = append(dirs, bin)
	}
	if home := lookup("HOME"); home != "" {
		dirs = append(dirs, filepath.Join(home, ".npm-global", "bin"), filepath.Join(home, ".local", "bin"), filepath.Join(home, ".volta", "bin"))
	}
	return append(dirs, "/usr/local/bin", "/opt/homebrew/bin")
}
