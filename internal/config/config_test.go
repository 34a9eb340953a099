package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// project makes a directory with the given configuration file; "" makes none.
func project(t *testing.T, file string) string {
	t.Helper()
	dir := t.TempDir()
	if file == "" {
		return dir
	}
	if err := os.MkdirAll(filepath.Dir(Path(dir)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(Path(dir), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func environment(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}
}

func load(t *testing.T, src Sources) *Config {
	t.Helper()
	c, err := Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func defaults() *Config {
	return &Config{
		Log: Log{Level: "info", MaxSizeMB: 10, MaxFiles: 5},
		Server: Server{
			Workers: 32, MaxConnections: 2048,
			CallTimeout: 5 * time.Minute, HookTimeout: 5 * time.Second,
			LineTimeout: 30 * time.Second, DrainTimeout: 10 * time.Second, IdleTimeout: 30 * time.Minute,
		},
		PreToolUse:          "pass",
		Policy:              []Rule{},
		PolicyDirs:          []string{},
		Conversations:       Conversations{Enabled: true, Keep: 365 * 24 * time.Hour, Scope: "project", Exclude: []string{}},
		Recall:              Recall{Enabled: true, Scope: "all", Budget: 20 * time.Millisecond},
		Diagnostics:         Diagnostics{Enabled: true, Budget: 300 * time.Millisecond, MaxLines: 10},
		SearchNotes:         SearchNotes{Enabled: true, Budget: 20 * time.Millisecond},
		Languages:           map[string]Language{},
		AlwaysLoad:          []string{},
		ReadyBudget:         8 * time.Second,
		LanguageIdleTimeout: 30 * time.Minute, LanguageDraftIdleTimeout: 5 * time.Minute, LanguageProcessLimit: 8,
		Scout: Scout{Model: "functiongemma:270m", Timeout: 30 * time.Second, Concurrency: 1, MeasureTests: true},
		Exec: Exec{
			Enabled: true, Accept: "full", Home: "listed", Read: []string{}, Write: []string{}, Hide: []string{}, Protect: []string{},
			Network: "ask", Timeout: 30 * time.Second, MemoryMB: 2048, Processes: 256, OutputMB: 10,
		},
		Scrub: Scrub{Native: "known", Values: []string{}, Allow: []string{}},
		Refs:  Refs{MaxMB: 64, TTL: 24 * time.Hour},
		Audit: Audit{Enabled: true},
		Work: Work{
			BranchPattern: `^bd-([A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)*)/.`, Timeout: 10 * time.Second,
			ReconstituteOnStop: true, StopTimeout: 5 * time.Second,
		},
		Questions: Questions{Timeout: 5 * time.Minute, Notify: []string{}},

		EnvironmentPass: []string{},
	}
}

var values = cmpopts.IgnoreUnexported(Config{})

func TestLoadDefaults(t *testing.T) {
	for _, file := range []string{"", "{}"} {
		c := load(t, Sources{Project: project(t, file)})
		if diff := cmp.Diff(defaults(), c, values); diff != "" {
			t.Errorf("file %q: (-want +got)\n%s", file, diff)
		}
	}
}

func TestLoadFile(t *testing.T) {
	c := load(t, Sources{Languages: []string{"go"}, Project: project(t, `{
		"log": {"level": "debug", "max_files": 1},
		"server": {"call_timeout": "1m30s"},
		"server.workers": 4,
		"pre_tool_use": "allow",
		"policy": [
			{"decision": "deny", "tool": "Bash", "field": "command", "pattern": "rm -rf /", "reason": "no"},
			{"decision": "ask", "tool": "*"}
		],
		"languages": {"go": {"command": ["gopls", "-rpc.trace"], "enabled": false, "settings": {"staticcheck": true}}},
		"scout": {"scorer": "ollama", "endpoint": "https://gpu.example:11434", "measure_tests": false}
	}`)})
	want := defaults()
	want.Log.Level, want.Log.MaxFiles = "debug", 1
	want.Server.CallTimeout, want.Server.Workers = 90*time.Second, 4
	want.PreToolUse = "allow"
	want.Policy = []Rule{{"deny", "Bash", "command", "rm -rf /", "no"}, {Decision: "ask", Tool: "*"}}
	want.Languages = map[string]Language{"go": {[]string{"gopls", "-rpc.trace"}, true, map[string]any{"staticcheck": true}}}
	want.Scout.MeasureTests = false
	want.Scout.Scorer, want.Scout.Endpoint = "ollama", "https://gpu.example:11434"
	if diff := cmp.Diff(want, c, values); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Each source overrides the one before it, and every setting says which one it was.
func TestLoadPrecedence(t *testing.T) {
	dir := project(t, "{\n\"log\": {\n\"level\": \"warn\",\n\"max_files\": 2, \"max_size_mb\": 3},\n\"scout\": {\"model\": \"m\"}}")
	c := load(t, Sources{
		Project: dir,
		Env: environment(map[string]string{
			"TIDEPOOL_LOG_LEVEL":           "error",
			"TIDEPOOL_LOG_MAX_FILES":       "7",
			"TIDEPOOL_SCOUT_MODEL":         "",
			"TIDEPOOL_DIAGNOSTICS_ENABLED": "false",
			"TIDEPOOL_POLICY":              `[{"decision":"ask"}]`,
			"GEMMA_ENDPOINT":               "http://user:hunter2@localhost:11434",
		}),
		Flags: map[string]string{"log.level": "debug", "scout.scorer": ""},
	})
	got := map[string]Setting{}
	for _, s := range c.Settings() {
		got[s.Key] = s
	}
	for _, want := range []Setting{
		{"log.level", json.RawMessage(`"debug"`), "command line"},
		{"log.max_files", json.RawMessage(`7`), "TIDEPOOL_LOG_MAX_FILES"},
		{"log.max_size_mb", json.RawMessage(`3`), Path(dir) + ":4"},
		{"scout.model", json.RawMessage(`"m"`), Path(dir) + ":5"},
		{"scout.scorer", json.RawMessage(`""`), "default"},
		{"scout.endpoint", json.RawMessage(`"http://user:xxxxx@localhost:11434"`), "GEMMA_ENDPOINT"},
		{"policy", json.RawMessage(`[{"decision":"ask"}]`), "TIDEPOOL_POLICY"},
		{"diagnostics.enabled", json.RawMessage(`false`), "TIDEPOOL_DIAGNOSTICS_ENABLED"},
		{"server.call_timeout", json.RawMessage(`"5m"`), "default"},
	} {
		if diff := cmp.Diff(want, got[want.Key]); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", want.Key, diff)
		}
	}
	if c.Scout.Endpoint != "http://user:hunter2@localhost:11434" {
		t.Errorf("the endpoint in use is %q", c.Scout.Endpoint)
	}
}

func TestEndpointVariables(t *testing.T) {
	c := load(t, Sources{Project: project(t, ""), Env: environment(map[string]string{
		"TIDEPOOL_SCOUT_ENDPOINT": "http://a", "GEMMA_ENDPOINT": "http://b",
	})})
	if c.Scout.Endpoint != "http://a" {
		t.Errorf("Endpoint = %q, want the one of the longer name", c.Scout.Endpoint)
	}
}

// What `agent config` prints can be put into a file and means the same there.
func TestSettingsLoadAgain(t *testing.T) {
	first := load(t, Sources{Project: project(t, `{
		"policy": [{"decision": "deny", "pattern": "a < b && c > d"}],
		"languages": {"go": {"settings": {"buildFlags": ["-tags=x"]}}},
		"server": {"drain_timeout": "90s", "line_timeout": "500ms", "call_timeout": "1h0m0s"},
		"tools.always_load": [],
		"ready_budget": "1ms"
	}`+"\n"), Flags: nil})
	file := map[string]json.RawMessage{}
	for _, s := range first.Settings() {
		file[s.Key] = s.Value
	}
	if p := string(file["policy"]); !strings.Contains(p, "a < b && c > d") {
		t.Errorf("policy is shown as %s", p)
	}
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	second := load(t, Sources{Project: project(t, string(data))})
	if diff := cmp.Diff(first, second, values); diff != "" {
		t.Errorf("(-first +second)\n%s", diff)
	}
}

func TestLoadUnreadable(t *testing.T) {
	dir := project(t, "")
	if err := os.MkdirAll(Path(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Sources{Project: dir}); err == nil || !strings.Contains(err.Error(), "reading the configuration: ") {
		t.Errorf("a directory in place of the file gives %v", err)
	}
	big := project(t, `{"log":{}}`+strings.Repeat(" ", maxFile))
	if _, err := Load(Sources{Project: big}); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a file of more than a megabyte gives %v", err)
	}
}

// All mistakes are reported at once.
func TestLoadReportsAll(t *testing.T) {
	_, err := Load(Sources{
		Project: project(t, `{"log": {"level": 1, "size": 2}, "scout": []}`),
		Env:     environment(map[string]string{"TIDEPOOL_SERVER_WORKERS": "many"}),
		Flags:   map[string]string{"scorer": "x"},
	})
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		t.Fatalf("Load = %v, want several errors", err)
	}
	keys := make([]string, 0, 5)
	for _, e := range joined.Unwrap() {
		bad, ok := errors.AsType[*KeyError](e)
		if !ok {
			t.Fatalf("%v is not a KeyError", e)
		}
		keys = append(keys, bad.Key)
	}
	want := []string{"log.level", "log.size", "scout", "server.workers", "scorer"}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAgain(t *testing.T) {
	dir := project(t, `{"log": {"level": "warn"}}`)
	before := load(t, Sources{Project: dir, Flags: map[string]string{"ready_budget": "3s"}})
	if err := os.WriteFile(Path(dir), []byte(`{"log": {"level": "debug"}, "policy": [{"decision": "ask"}], "ready_budget": "4s"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	after, err := before.Again()
	if err != nil {
		t.Fatal(err)
	}
	if got := before.Changed(after); !slices.Equal(got, []string{"log.level", "policy"}) {
		t.Errorf("changed: %v", got)
	}
	if before.Log.Level != "warn" || after.ReadyBudget != 3*time.Second {
		t.Errorf("before %+v, after %+v", before, after)
	}
	if err := os.WriteFile(Path(dir), []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := after.Again(); err == nil {
		t.Error("half a file is no error")
	}
}
