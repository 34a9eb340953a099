package lsp

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Hints name the versions of the servers that these tests run with.
func TestInstallHasTheVersionsOfTheTests(t *testing.T) {
	t.Parallel()
	lines := map[string]string{}
	for _, l := range Languages() {
		lines[l.ID] = l.Install + " "
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	gopls := regexp.MustCompile(`(?m)^GOPLS_VERSION\s*:= (\S+)$`).FindSubmatch(makefile)
	if gopls == nil || !strings.Contains(lines["go"], "/gopls@"+string(gopls[1])+" ") {
		t.Errorf("the Makefile has gopls %s, the hint is %s", gopls, lines["go"])
	}
	data, err := os.ReadFile("../scripts/servers/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var pinned struct{ Dependencies map[string]string }
	if err := json.Unmarshal(data, &pinned); err != nil {
		t.Fatal(err)
	}
	for name, version := range pinned.Dependencies {
		if !strings.Contains(lines["typescript"]+lines["python"], " "+name+"@"+version+" ") {
			t.Errorf("no hint installs %s@%s", name, version)
		}
	}
}
