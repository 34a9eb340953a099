package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidepool/internal/section"
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

var update = flag.Bool("update", false, "write the table of docs/settings.md")

const settingsPage = "../../docs/settings.md"

func readPage(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(settingsPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The page's table is made of the keys: name, default, what is accepted and what it does.
func TestSettingsPage(t *testing.T) {
	var table strings.Builder
	table.WriteString("| key | default | accepts | meaning |\n|---|---|---|---|\n")
	for _, k := range Defaults().keys(nil) {
		fmt.Fprintf(&table, "| `%s` | `%s` | %s | %s |\n", k.name, encode(k.value.show()), k.value.accepts(), k.meaning)
	}
	if *update {
		if err := section.Write(settingsPage, map[string]string{"settings": table.String()}); err != nil {
			t.Fatal(err)
		}
	}
	page := readPage(t)
	want, err := section.Replace(page, "settings", table.String())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, page); diff != "" {
		t.Errorf("run go test ./internal/config -update: (-keys +page)\n%s", diff)
	}
}

// Each example on the page of settings is a valid configuration.
func TestSettingsPageExamplesLoad(t *testing.T) {
	blocks := strings.Split(readPage(t), "```json\n")[1:]
	if len(blocks) < 2 {
		t.Fatalf("found %d examples on the page", len(blocks))
	}
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		load(t, Sources{Project: project(t, text), Languages: []string{"go"}})
	}
}
