package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func example(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", ".tidepool.example", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The example file is the list of keys: all of them, each with its default.
func TestExampleFileIsTheDefaults(t *testing.T) {
	c := load(t, Sources{Project: project(t, example(t, "config.json"))})
	if diff := cmp.Diff(defaults(), c, values); diff != "" {
		t.Errorf("(-default +example)\n%s", diff)
	}
	for _, s := range c.Settings() {
		if s.Source == "default" {
			t.Errorf("%s is not in the example", s.Key)
		}
	}
}

var row = regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\| `([^`]*)` \\| \\S")

// The table in the README has a row for every key, with its default, and none besides.
func TestReadmeExplainsEveryKey(t *testing.T) {
	_, settings, _ := strings.Cut(example(t, "README.md"), "## Settings\n")
	explained := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(settings, -1) {
		explained[m[1]] = m[2]
	}
	want := map[string]string{}
	for _, s := range load(t, Sources{Project: project(t, "")}).Settings() {
		want[s.Key] = string(s.Value)
	}
	if diff := cmp.Diff(want, explained); diff != "" {
		t.Errorf("(-keys +README)\n%s", diff)
	}
}

// What the README shows as configuration is one.
func TestReadmeExamplesLoad(t *testing.T) {
	blocks := strings.Split(example(t, "README.md"), "```json\n")[1:]
	if len(blocks) < 2 {
		t.Fatalf("found %d examples in the README", len(blocks))
	}
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		load(t, Sources{Project: project(t, text), Languages: []string{"go"}})
	}
}
