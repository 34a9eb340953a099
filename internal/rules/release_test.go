package rules

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// VERSION is the one place of the version: programs, plugins and the newest section of the changelog have the same.
func TestRuleOneVersion(t *testing.T) {
	version := strings.TrimSuffix(readDoc(t, "VERSION"), "\n")
	if !regexp.MustCompile(`^0\.\d+\.\d+$`).MatchString(version) {
		t.Fatalf("VERSION is %q, not such as 0.2.0 on a line", version)
	}
	for _, name := range []string{"plugin/.claude-plugin/plugin.json", "plugin/lsp/.claude-plugin/plugin.json"} {
		var manifest struct{ Version string }
		if err := json.Unmarshal([]byte(readDoc(t, name)), &manifest); err != nil || manifest.Version != version {
			t.Errorf("%s is of version %q (%v), VERSION says %s", name, manifest.Version, err, version)
		}
	}
	newest := regexp.MustCompile(`(?m)^## (\S+)`).FindStringSubmatch(readDoc(t, "CHANGELOG.md"))
	if newest == nil || newest[1] != version {
		t.Errorf("the newest section of CHANGELOG.md is %v, VERSION says %s", newest, version)
	}
	dry := exec.Command("make", "-n", "build")
	dry.Env = append(os.Environ(), "MAKEFLAGS=")
	out, err := dry.Output()
	if err != nil || strings.Count(string(out), "-X main.version="+version+" ") != 2 {
		t.Errorf("make build gives not both programs version %s (%v):\n%s", version, err, out)
	}
}

// make help lists the targets that a person calls, those with a hyphen and a slash too.
func TestRuleMakeHelpListsEveryDescribedTarget(t *testing.T) {
	help := exec.Command("make", "-s", "help")
	help.Env = append(os.Environ(), "MAKEFLAGS=")
	out, err := help.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range regexp.MustCompile(`(?m)^(\S+):.*## `).FindAllStringSubmatch(readDoc(t, "Makefile"), -1) {
		if !strings.Contains("\n"+string(out), "\n"+target[1]+"\t") {
			t.Errorf("make help does not list %s", target[1])
		}
	}
}
