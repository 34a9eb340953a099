package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/config"
	"tidepool/internal/daemontest"
)

func TestConfig(t *testing.T) {
	dir := t.TempDir()
	daemontest.WriteConfig(t, dir, "{\n\"pre_tool_use\": \"allow\"}")
	vars := []string{"GEMMA_ENDPOINT=http://me:hunter2@gpu:11434"}

	r := runProgram(t, dir, vars, "config")
	rows := map[string][]string{}
	for line := range strings.Lines(r.out) {
		fields := strings.Fields(line)
		rows[fields[0]] = fields[1:]
	}
	for key, want := range map[string][]string{
		"log.level":      {`"info"`, "default"},
		"pre_tool_use":   {`"allow"`, ".tidepool/config.json:2"},
		"scout.endpoint": {`"http://me:xxxxx@gpu:11434"`, "GEMMA_ENDPOINT"},
	} {
		if !slices.Equal(rows[key], want) {
			t.Errorf("%s is shown as %q, want %q", key, rows[key], want)
		}
	}

	for line := range strings.Lines(r.out) {
		if len(line) > 100+len("\n") {
			t.Errorf("%q is wider than 100 columns", line)
		}
	}

	var settings []config.Setting
	r = runProgram(t, dir, vars, "config", "--json")
	if err := json.Unmarshal([]byte(r.out), &settings); err != nil {
		t.Fatalf("%v in %s", err, r.out)
	}
	if len(settings) < 18 || settings[0].Key != "log.level" || string(settings[0].Value) != `"info"` || settings[0].Source != "default" {
		t.Errorf("settings = %v", settings)
	}
}

// The budget of memory is shown as the machine makes it, and as it is set.
func TestConfigShowsBudget(t *testing.T) {
	dir := t.TempDir()
	daemontest.WriteConfig(t, dir, "{}")
	row := func(vars ...string) string {
		_, after, _ := strings.Cut(runProgram(t, dir, vars, "config").out, "\nmemory.budget ")
		for rest := ""; ; rest += " " {
			line, below, _ := strings.Cut(after, "\n")
			rest += line
			if after = below; !strings.HasPrefix(after, " ") { // the next row
				return strings.Join(strings.Fields(rest), " ")
			}
		}
	}
	if got := row(); !regexp.MustCompile(`^0 default: \d{3,} MB now, half of the \d+ MB available by `).MatchString(got) {
		t.Errorf("by default %q", got)
	}
	if got := row("TIDEPOOL_MEMORY_BUDGET=3000"); got != "3000 TIDEPOOL_MEMORY_BUDGET" {
		t.Errorf("set %q", got)
	}
}

func TestConfigMistakes(t *testing.T) {
	dir := t.TempDir()
	daemontest.WriteConfig(t, dir, "{\n\"scot\": {},\n\"languages\": {\"golang\": {}}}")
	r := runProgram(t, dir, []string{"TIDEPOOL_LOG_LEVEL=loud"}, "config")
	file := dir + "/.tidepool/config.json"
	r.want(t, 1, "", "error: "+file+":2: scot: unknown key\n")
	r.want(t, 1, "", "error: "+file+":3: languages.golang: unknown language\nhint: known languages: go")
	r.want(t, 1, "", "error: TIDEPOOL_LOG_LEVEL: log.level: expected one of")
}

// A broken configuration must not keep anybody from ending a daemon.
func TestStopIgnoresConfig(t *testing.T) {
	dir := t.TempDir()
	daemontest.WriteConfig(t, dir, "{")
	runProgram(t, dir, nil, "stop").want(t, 0, "not running\n", "")
}
