package config

import (
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
)

// A key joins a dotted name to the field of one Config that it sets.
type key struct {
	name    string
	value   value
	initial string // the default, as text
}

// keys is the table of all settings, bound to the fields of c. What is not in it does not exist.
func (c *Config) keys(languages []string) []key {
	return []key{
		{"log.level", choice(&c.Log.Level, "debug", "info", "warn", "error"), "info"},
		{"log.max_size_mb", whole(&c.Log.MaxSizeMB, 1, 1024), "10"},
		{"log.max_files", whole(&c.Log.MaxFiles, 1, 100), "5"},
		{"server.workers", whole(&c.Server.Workers, 1, 1024), "32"},
		{"server.max_connections", whole(&c.Server.MaxConnections, 1, 65536), "2048"},
		{"server.call_timeout", duration(&c.Server.CallTimeout, time.Second, time.Hour), "5m"},
		{"server.hook_timeout", duration(&c.Server.HookTimeout, 10*time.Millisecond, 10*time.Minute), "5s"},
		{"server.line_timeout", duration(&c.Server.LineTimeout, 100*time.Millisecond, time.Hour), "30s"},
		{"server.drain_timeout", duration(&c.Server.DrainTimeout, time.Millisecond, 10*time.Minute), "10s"},
		{"server.idle_timeout", duration(&c.Server.IdleTimeout, 0, 30*24*time.Hour), "30m"},
		{"pre_tool_use", choice(&c.PreToolUse, "pass", "allow"), "pass"},
		{"policy", &rules{&c.Policy}, "[]"},
		{"diagnostics.enabled", &onOff{&c.Diagnostics.Enabled}, "true"},
		{"diagnostics.budget", duration(&c.Diagnostics.Budget, time.Millisecond, time.Minute), "300ms"},
		{"diagnostics.max_lines", whole(&c.Diagnostics.MaxLines, 1, 100), "10"},
		{"languages", &languageTable{&c.Languages, languages}, "{}"},
		{"tools.always_load", &nameList{&c.AlwaysLoad}, `["find_callers"]`},
		{"ready_budget", duration(&c.ReadyBudget, time.Millisecond, 10*time.Minute), "8s"},
		{"language_idle_timeout", duration(&c.LanguageIdleTimeout, 0, 30*24*time.Hour), "30m"},
		{"language_draft_idle_timeout", duration(&c.LanguageDraftIdleTimeout, 0, 30*24*time.Hour), "5m"},
		{"language_memory_limit_mb", whole(&c.LanguageMemoryLimitMB, 0, 1<<20), "4096"},
		{"language_process_limit", whole(&c.LanguageProcessLimit, 1, 1024), "8"},
		{"scout.scorer", choice(&c.Scout.Scorer, "", "ollama", "heuristic"), ""},
		{"scout.endpoint", &address{&c.Scout.Endpoint}, ""},
		{"scout.model", &text{&c.Scout.Model}, "functiongemma:270m"},
		{"scout.timeout", duration(&c.Scout.Timeout, 100*time.Millisecond, 10*time.Minute), "30s"},
		{"scout.concurrency", whole(&c.Scout.Concurrency, 1, 64), "1"},
		{"scout.record", &recording{onOff{&c.Scout.Record}}, "false"},
		{"scout.measure_tests", &onOff{&c.Scout.MeasureTests}, "true"},
		{"work.branch_pattern", &pattern{&c.Work.BranchPattern}, `^bd-([A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)*)/.`},
		{"work.timeout", duration(&c.Work.Timeout, 100*time.Millisecond, 10*time.Minute), "10s"},
		{"work.reconstitute_on_stop", &onOff{&c.Work.ReconstituteOnStop}, "true"},
		{"work.stop_timeout", duration(&c.Work.StopTimeout, 100*time.Millisecond, 10*time.Minute), "5s"},
		{"environment.pass", &passes{nameList{&c.EnvironmentPass}}, "[]"},
		{"questions.timeout", duration(&c.Questions.Timeout, time.Second, time.Hour), "5m"},
		{"questions.notify", &program{nameList{&c.Questions.Notify}}, "[]"},
	}
}

// variables returns the names under which the environment may give the key, the one with more weight first.
func (k key) variables() []string {
	own := "TIDEPOOL_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
	if k.name == "scout.endpoint" {
		return []string{own, "GEMMA_ENDPOINT"}
	}
	return []string{own}
}

// nearest returns the candidate that name was probably meant to be, or "" if none is close.
func nearest(name string, candidates []string) string {
	best, distance := "", 2+len(name)/4
	for _, candidate := range candidates {
		if d := levenshtein.ComputeDistance(name, candidate); d < distance {
			best, distance = candidate, d
		}
	}
	if best != "" {
		return best
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if i := slices.IndexFunc(candidates, func(c string) bool { return strings.HasSuffix(c, "."+last) }); i >= 0 {
		return candidates[i]
	}
	return ""
}
