package training

import (
	"encoding/json"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// maxManifest bounds a manifest that is read, in bytes.
const maxManifest = 1 << 20

// ModuleOf names the module that a file below the directory root belongs to: what
// the nearest manifest above it says, else the name of root.
func ModuleOf(root, path string) string {
	for dir := filepath.Dir(filepath.FromSlash(path)); ; dir = filepath.Dir(dir) {
		if name := manifestIn(filepath.Join(root, dir)); name != "" {
			return name
		}
		if dir == "." || dir == string(filepath.Separator) {
			return filepath.Base(root)
		}
	}
}

// projectName is the name in a pyproject.toml, close enough to read no more of it.
var projectName = pattern(`(?m)^name\s*=\s*["']([^"']+)["']`)

func manifestIn(dir string) string {
	if text := small(filepath.Join(dir, "go.mod")); text != nil {
		return modfile.ModulePath(text)
	}
	if text := small(filepath.Join(dir, "package.json")); text != nil {
		var manifest struct{ Name string }
		_ = json.Unmarshal(text, &manifest) // one without a name is no module of its own
		return manifest.Name
	}
	if found := projectName().FindSubmatch(small(filepath.Join(dir, "pyproject.toml"))); found != nil {
		return string(found[1])
	}
	return ""
}

func small(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxManifest || !info.Mode().IsRegular() {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return text
}
