package lsp

import (
	"path/filepath"
	"strings"
)

// typescript is the entry for TypeScript and JavaScript, with typescript-language-server v5.3.0 before the tsserver of
// typescript v6.0.3.
func typescript() Language {
	return Language{
		ID:          "typescript",
		Name:        "TypeScript",
		Command:     []string{"typescript-language-server", "--stdio"},
		Install:     "npm install -g typescript-language-server@5 typescript@6",
		RootMarkers: []string{"tsconfig.json", "jsconfig.json", "package.json"},
		Extensions:  []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"},
		Manifests: []string{
			"*tsconfig*.json", "jsconfig*.json", "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
		},
		Folders:      true, // it looks for the project of a file around the file, wherever that is
		LanguageID:   tsLanguageID,
		Capabilities: tsCapabilities(),
		Environ:      tsEnviron,
		Restrain:     restrainTypeScript,
		Settings:     tsSettings(),
		Options:      tsOptions,
		Probe:        probeTypeScript,
		Notified:     hearTypeScript,
		SymbolLimit:  tsSymbolLimit,
		Search:       searchTypeScript,
		Exact:        tsExact,
		Refine:       refineTypeScript,
		Missed:       missedTypeScript,
		BinDirs:      npmBinDirs,
		Drafting:     tsDrafting(),
	}
}

// tsSettings keep tsserver off the network: it would run npm install for types.
func tsSettings() map[string]any {
	return map[string]any{"disableAutomaticTypingAcquisition": true, "hostInfo": "tidepool"}
}

// tsCapabilities are what useClientFileWatcher asks for.
func tsCapabilities() map[string]any {
	return map[string]any{
		"workspace": map[string]any{"didChangeWatchedFiles": map[string]any{"relativePatternSupport": true}},
	}
}

func tsLanguageID(path string) string {
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

// tsExact asks for the last component: tsserver knows no packages, and of containers only those around a member.
func tsExact(name string) string {
	return name[strings.LastIndexAny(name, ".#/:")+1:]
}

// refineTypeScript sorts kinds out. Package holds what searchTypeScript makes of it, "web/src/user#Outer.Inner", or what
// call hierarchy says, which is nothing of use.
func refineTypeScript(symbol *Symbol, line string) {
	symbol.Package, symbol.Receiver, _ = strings.Cut(symbol.Package, "#")
	switch symbol.Kind {
	case KindProperty:
		symbol.Kind = KindField
	case KindTypeParameter:
		symbol.Kind = KindType
	case KindConstant:
		symbol.Kind = KindVariable
	}
	if _, rest, _ := strings.Cut(line, symbol.Name); symbol.Kind == KindVariable && holdsFunction(rest) {
		symbol.Kind = KindFunction
	}
}

// tsExtension is the extension of a source file, ".d.ts" taken as one.
func tsExtension(path string) string {
	if before, found := strings.CutSuffix(path, filepath.Ext(path)); found && strings.HasSuffix(before, ".d") {
		return ".d" + filepath.Ext(path)
	}
	return filepath.Ext(path)
}

// holdsFunction says whether what follows a name in its declaration makes it a function: "= async (x) => …".
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

// npmBinDirs are where npm installs programs: of the person, of the system, of the Node that runs.
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
