package config

import (
	"errors"
	"strings"
	"testing"
)

// Every mistake names the key and the line, what was expected and what was found.
func TestFileMistakes(t *testing.T) {
	tests := []struct{ name, file, want, hint string }{
		{"empty", " \n", `:1: expected a JSON object, got nothing`, "write {}"},
		{"cut", "{\n\"log\": {\n", `:3: not valid JSON: unexpected end of JSON input`, ""},
		{"comment", "{\n// none\n}", `:2: not valid JSON: invalid character '/'`, ""},
		{"two values", "{}\n{}", `:2: not valid JSON: invalid character '{' after top-level value`, ""},
		{"list", "[]", `:1: expected an object, got a list`, ""},

		{"typing error", "{\n\"server\": {\n\"wrokers\": 3}}", `:3: server.wrokers: unknown key`, `did you mean "server.workers"?`},
		{"section forgotten", `{"max_size_mb": 3}`, `:1: max_size_mb: unknown key`, `did you mean "log.max_size_mb"?`},
		{"case", `{"Policy": []}`, `:1: Policy: unknown key`, `did you mean "policy"?`},
		{"far from all", `{"telemetry": true}`, `:1: telemetry: unknown key`, "`agent config` lists all keys"},
		{"twice", "{\"pre_tool_use\": \"pass\",\n\"pre_tool_use\": \"allow\"}", `:2: pre_tool_use: given twice, first in line 1`, ""},
		{"twice in two spellings", "{\"log\": {\"level\": \"info\"},\n\"log.level\": \"debug\"}", `:2: log.level: given twice, first in line 1`, ""},
		{"section as value", `{"log": "debug"}`, `:1: log: expected an object, got "debug"`, ""},

		{"choice", `{"log": {"level": "loud"}}`, `log.level: expected one of "debug", "info", "warn", "error", got "loud"`, ""},
		{"choice null", `{"log": {"level": null}}`, `log.level: expected one of "debug", "info", "warn", "error", got null`, ""},
		{"whole number", `{"server": {"workers": 1.5}}`, `server.workers: expected a whole number from 1 to 1024, got the number 1.5`, ""},
		{"number as text", `{"server": {"workers": "4"}}`, `server.workers: expected a whole number from 1 to 1024, got "4"`, ""},
		{"number too small", `{"server": {"workers": 0}}`, `got the number 0`, ""},
		{"names as text", `{"tools": {"always_load": "scout"}}`, `tools.always_load: expected a list of names, got "scout"`, ""},
		{"names with a number", `{"tools.always_load": ["scout", 1]}`, `tools.always_load[1]: expected a name, got the number 1`, ""},
		{"duration as number", `{"ready_budget": 8}`, `ready_budget: expected a duration from 1ms to 10m, written like "30s", got the number 8`, ""},
		{"duration negative", `{"ready_budget": "-1s"}`, `got "-1s"`, ""},
		{"duration without unit", `{"ready_budget": "8"}`, `got "8"`, ""},
		{"name", `{"scout": {"model": " "}}`, `scout.model: expected a name, got " "`, ""},
		{"address", `{"scout": {"endpoint": "localhost:11434"}}`, `expected a URL like "http://127.0.0.1:11434", got "localhost:11434"`, ""},
		{"address with password", `{"scout": {"endpoint": "ftp://u:hunter2@h"}}`, `got "ftp://u:xxxxx@h"`, ""},
		{"database with password", `{"recall": {"team": "mysql://u:hunter2@h/d"}}`, `got "mysql://u:xxxxx@h/d"`, ""},
		{"database without a name", `{"recall": {"team": "postgres://h"}}`, "a URL like \"postgres://user@host/name\"", ""},
		{"number out of range", `{"recall": {"floor": 11}}`, "a number from -10 to 10", ""},
		{"number that is none", `{"recall": {"floor": "1"}}`, "a number from -10 to 10", ""},
		{"no address with password", `{"scout": {"endpoint": "u:hunter2@h"}}`, `got "xxxxx@h"`, ""},
		{"boolean", `{"scout": {"model": true}}`, `got true`, ""},
		{"text for a boolean", `{"diagnostics": {"enabled": "true"}}`, `diagnostics.enabled: expected true or false, got "true"`, ""},
		{"long text", `{"scout": {"scorer": "` + strings.Repeat("ü", 100) + `"}}`, `got "` + strings.Repeat("ü", 60) + `…"`, ""},
		{"escape", `{"scout": {"scorer": "\u001b[2J"}}`, `got "\x1b[2J"`, ""},

		{"policy", `{"policy": {}}`, `policy: expected a list of rules, got an object`, ""},
		{"rule", `{"policy": ["deny"]}`, `policy[0]: expected an object with decision, tool, field, pattern, reason, got "deny"`, ""},
		{"rule key", "{\"policy\": [{\"decision\": \"deny\"},\n{\"descision\": \"deny\"}]}", `:2: policy[1].descision: unknown key`, `did you mean "decision"?`},
		{"rule key far", `{"policy": [{"when": 1}]}`, `policy[0].when: unknown key`, "known here: decision, tool, field, pattern, reason"},
		{"rule twice", `{"policy": [{"decision": "deny", "decision": "ask"}]}`, `policy[0].decision: given twice`, ""},
		{"decision", `{"policy": [{"decision": "block"}]}`, `policy[0].decision: expected one of "deny", "ask", "allow", got "block"`, ""},
		{"no decision", `{"policy": [{"tool": "Bash"}]}`, `policy[0]: a rule needs a decision`, `add "decision"`},
		{"no pattern", `{"policy": [{"decision": "ask", "field": "command"}]}`, `policy[0]: a rule with a field needs a pattern`, `add "pattern"`},
		{"field", `{"policy": [{"decision": "ask", "field": "a..b", "pattern": "x"}]}`, `policy[0].field: expected a path`, ""},
		{"reason", `{"policy": [{"decision": "ask", "reason": "` + strings.Repeat("x", 1001) + `"}]}`, `policy[0].reason: expected a text of at most 1000 bytes`, ""},
		{"pattern", "{\"policy\": [\n{\"decision\": \"ask\",\n\"pattern\": \"a(b\"}]}", ":3: policy[0].pattern: expected a regular expression, got \"a(b\": missing closing ): `a(b`", "Go regular expressions"},
		{"tool pattern", `{"policy": [{"decision": "ask", "tool": "mcp__(.*"}]}`, `policy[0].tool: expected a regular expression`, "Go regular expressions"},
		{"lookahead", `{"policy": [{"decision": "ask", "pattern": "(?!x)"}]}`, `invalid or unsupported Perl syntax`, "Go regular expressions"},

		{"languages", `{"languages": []}`, `languages: expected an object with one member per language, got a list`, ""},
		{"language", `{"languages": {"golang": {}}}`, `languages.golang: unknown language`, "known languages: go, rust"},
		{"language near", `{"languages": {"rusty": {}}}`, `languages.rusty: unknown language`, `did you mean "rust"?`},
		{"language twice", `{"languages": {"go": {}, "go": {}}}`, `languages.go: given twice`, ""},
		{"command", `{"languages": {"go": {"command": "gopls"}}}`, `languages.go.command: expected a program and its arguments as a list of strings, got "gopls"`, ""},
		{"command empty", `{"languages": {"go": {"command": []}}}`, `languages.go.command: expected a program`, ""},
		{"command element", `{"languages": {"go": {"command": ["gopls", 1]}}}`, `languages.go.command: expected a program or an argument, got the number 1`, ""},
		{"enabled", `{"languages": {"go": {"enabled": "no"}}}`, `languages.go.enabled: expected true or false, got "no"`, ""},
		{"settings", `{"languages": {"go": {"settings": null}}}`, `languages.go.settings: expected an object, got null`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := project(t, tt.file)
			_, err := Load(Sources{Project: dir, Languages: []string{"go", "rust"}})
			check(t, err, tt.want, tt.hint)
			if err != nil && !strings.HasPrefix(err.Error(), Path(dir)+":") {
				t.Errorf("error %q does not begin with file and line", err)
			}
		})
	}
}

func TestEnvironmentMistakes(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"TIDEPOOL_SERVER_WORKERS", "many", `TIDEPOOL_SERVER_WORKERS: server.workers: expected a whole number from 1 to 1024, got "many"`},
		{"TIDEPOOL_READY_BUDGET", "8", `TIDEPOOL_READY_BUDGET: ready_budget: expected a duration`},
		{"TIDEPOOL_POLICY", "[{", `TIDEPOOL_POLICY: policy: expected a list of rules, got "[{"`},
		{"TIDEPOOL_POLICY", `[{"decision":"no"}]`, `TIDEPOOL_POLICY: policy[0].decision: expected one of`},
		{"TIDEPOOL_LANGUAGES", `{"go":1}`, `TIDEPOOL_LANGUAGES: languages.go: expected an object with command, enabled, settings, got the number 1`},
		{"GEMMA_ENDPOINT", "localhost", `GEMMA_ENDPOINT: scout.endpoint: expected a URL`},
	}
	for _, tt := range tests {
		_, err := Load(Sources{Project: project(t, ""), Env: environment(map[string]string{tt.name: tt.value})})
		check(t, err, tt.want, "")
	}
}

func TestFlagMistakes(t *testing.T) {
	_, err := Load(Sources{Project: project(t, ""), Flags: map[string]string{"log.level": "loud"}})
	check(t, err, `command line: log.level: expected one of "debug"`, "")
	_, err = Load(Sources{Project: project(t, ""), Flags: map[string]string{"log.levle": "info"}})
	check(t, err, `command line: log.levle: unknown key`, `did you mean "log.level"?`)
}

func check(t *testing.T, err error, want, hint string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v\nwant   %s", err, want)
		return
	}
	var hinter interface{ Hint() string }
	if !errors.As(err, &hinter) || !strings.Contains(hinter.Hint(), hint) {
		t.Errorf("%v has no hint %q", err, hint)
	}
}

// Whatever stands in the file, Load answers with a Config or with mistakes that name a line, and what it shows
// of itself is a file that it takes.
func FuzzFile(f *testing.F) {
	for _, seed := range []string{
		"{}", "[]", `{"log": {"level": "debug"}}`, `{"policy": [{"decision": "deny", "pattern": "x"}]}`,
		`{"languages": {"go": {"command": ["gopls"], "settings": {"a": [1, null, true]}}}}`, "{\n\"x\": 1,\n\"x\": {}}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file string) {
		l := loader{config: &Config{sources: make(map[string]string)}}
		l.keys = l.config.keys(nil)
		root, bad := parse([]byte(file))
		if bad != nil {
			if last := 1 + strings.Count(file, "\n"); bad.line < 1 || bad.line > last {
				t.Errorf("mistake in line %d of %d", bad.line, last)
			}
			return
		}
		l.section("", root, make(map[string]int), func(line int) string { return "f" })
		for _, s := range l.config.Settings() {
			if _, bad := parse(s.Value); bad != nil {
				t.Errorf("%s is shown as %s: %s", s.Key, s.Value, bad.problem)
			}
		}
	})
}
