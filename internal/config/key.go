package config

import (
	"slices"
	"strings"
	"time"

	"tidepool/internal/wording"
)

// A key joins a dotted name to the field of one Config that it sets.
type key struct {
	name    string
	value   value
	initial string // the default, as text
	meaning string // what it does, in Markdown: docs/settings.md is made of it
}

// keys returns the table of all settings, bound to the fields of c. What is not in it does not exist.
func (c *Config) keys(languages []string) []key {
	return slices.Concat(c.daemonKeys(), c.hookKeys(), c.languageKeys(languages), c.scoutKeys(), c.conversationKeys(), c.recallKeys(), c.executionKeys(), c.workKeys())
}

func (c *Config) daemonKeys() []key {
	return []key{
		{"log.level", choice(&c.Log.Level, "debug", "info", "warn", "error"), "info",
			"Lowest level that is logged. Prompts, file contents and tool arguments are logged at debug only"},
		{"log.max_size_mb", whole(&c.Log.MaxSizeMB, 1, 1024), "10",
			"Megabytes after which `.tidepool/logs/controlserver.log` is rotated"},
		{"log.max_files", whole(&c.Log.MaxFiles, 1, 100), "5",
			"Number of rotated files that are kept beside it"},
		{"server.workers", whole(&c.Server.Workers, 1, 1024), "32",
			"Tool calls that run at the same time. Further calls wait"},
		{"server.max_connections", whole(&c.Server.MaxConnections, 1, 65536), "2048",
			"Open connections. For a further one the daemon closes the oldest that waits for no answer and is no attached client"},
		{"server.call_timeout", duration(&c.Server.CallTimeout, time.Second, time.Hour), "5m",
			"Longest time of one tool call. A caller may set a shorter one"},
		{"server.hook_timeout", duration(&c.Server.HookTimeout, 10*time.Millisecond, 10*time.Minute), "5s",
			"Longest time of one hook event"},
		{"server.line_timeout", duration(&c.Server.LineTimeout, 100*time.Millisecond, time.Hour), "30s",
			"Longest time from the first byte of a request to the end of its line"},
		{"server.drain_timeout", duration(&c.Server.DrainTimeout, time.Millisecond, 10*time.Minute), "10s",
			"Time that running calls have to finish after SIGTERM. A second signal cuts it short"},
		{"server.idle_timeout", duration(&c.Server.IdleTimeout, 0, 30*24*time.Hour), "30m",
			"A daemon that `agent` started exits after this time without use. `\"0s\"`: never. A daemon that was started by hand stays"},
		{"server.http", &port{&c.Server.HTTP}, "",
			"Address of a loopback port that the daemon opens for HTTP and MCP, as `\"127.0.0.1:0\"` for any free port; `agent url` prints its URL. `\"\"`: none, and nothing listens but the socket. See [Doors](doors.md#the-loopback-port)"},
	}
}

func (c *Config) hookKeys() []key {
	return []key{
		{"pre_tool_use", &oneOf{&c.PreToolUse, []string{"pass", "allow"}, "allow"}, "pass",
			"Answer to PreToolUse when no policy rule matches. `\"pass\"` leaves the decision to Claude Code. `\"allow\"` allows the call, which switches Claude Code's permission prompts off"},
		{"policy", &rules{&c.Policy}, "[]",
			"Rules for tool calls, see [Policy](#policy)"},
		{"policy.dirs", &dirs{passes{nameList{&c.PolicyDirs}}}, "[]",
			"Directories with [policy files](policy.md) of a team, beside `~/.config/tidepool/policy`"},
		{"diagnostics.enabled", &onOff{&c.Diagnostics.Enabled}, "true",
			"After Edit, Write and NotebookEdit the model reads the errors that were not there before, in the edited file or elsewhere. `false` switches that off"},
		{"diagnostics.budget", duration(&c.Diagnostics.Budget, time.Millisecond, time.Minute), "300ms",
			"Longest time that the hook of an edit waits for the language servers. What they find later is reported after the next tool, if it is still wrong"},
		{"diagnostics.max_lines", whole(&c.Diagnostics.MaxLines, 1, 100), "10",
			"Errors that are listed. The rest is counted"},
		{"search_notes.enabled", &onOff{&c.SearchNotes.Enabled}, "true",
			"After a search for one bare identifier, by Grep or by rg or grep in Bash, the model reads what the identifier is and how much it is used, if that is certain. `false` switches that off"},
		{"search_notes.budget", &patience{span{&c.SearchNotes.Budget, time.Millisecond, time.Minute}}, "20ms",
			"Longest time that the hook of a search waits for that. What is not ready then comes with a later tool"},
	}
}

func (c *Config) languageKeys(languages []string) []key {
	return []key{
		{"languages", &languageTable{&c.Languages, languages}, "{}",
			"Changes to the language servers, see [Languages](#languages)"},
		{"tools.always_load", &nameList{&c.AlwaysLoad}, `[]`,
			"Tools whose schema Claude Code loads at the start of a conversation, at some 500 tokens each. Of the other tools the model sees the name, and spends one turn to search for the schema"},
		{"ready_budget", duration(&c.ReadyBudget, time.Millisecond, 10*time.Minute), "8s",
			"Longest time that a tool call waits for language servers to be ready. Then it answers with what is known, and says so"},
		{"language_idle_timeout", duration(&c.LanguageIdleTimeout, 0, 30*24*time.Hour), "30m",
			"A language server exits after this time without a question, and the next question starts it again. `\"0s\"`: never"},
		{"language_draft_idle_timeout", duration(&c.LanguageDraftIdleTimeout, 0, 30*24*time.Hour), "5m",
			"The same for the language server in which scout tries changes out. `\"0s\"`: never"},
		{"language_memory_limit_mb", whole(&c.LanguageMemoryLimitMB, 0, 1<<20), "0",
			"Megabytes. A language server whose processes occupy more, and have grown since it knew the project, is restarted when nobody waits for it, at most once in ten minutes. 0: no limit of its own, `memory.budget` bounds all"},
		{"language_process_limit", whole(&c.LanguageProcessLimit, 1, 1024), "8",
			"Language servers that run at the same time. A further one replaces the one that was not asked for the longest time"},
		{"memory.budget", most(&c.Memory.BudgetMB, 0, 1<<24, 0), "0",
			"Megabytes that the daemon and all that it starts may occupy together, see [Memory](languages.md#memory). 0: half of what the machine has available when the daemon starts"},
	}
}

func (c *Config) scoutKeys() []key {
	return []key{
		{"scout.scorer", choice(&c.Scout.Scorer, "", "ollama", "heuristic"), "",
			"Who rates what scout finds: `\"ollama\"`, or `\"heuristic\"` for fixed rules. `\"\"` is ollama if an endpoint is set, else the rules; then the answer's last line says that the rules chose the order"},
		{"scout.endpoint", &address{&c.Scout.Endpoint}, "",
			"URL of the Ollama server, for example `\"http://127.0.0.1:11434\"`. The variable `GEMMA_ENDPOINT` sets it, too"},
		{"scout.model", &text{&c.Scout.Model}, "functiongemma:270m",
			"Name of the model there. `ollama pull` it first"},
		{"scout.timeout", duration(&c.Scout.Timeout, 100*time.Millisecond, 10*time.Minute), "30s",
			"Longest time of one request to the model"},
		{"scout.concurrency", whole(&c.Scout.Concurrency, 1, 64), "1",
			"Requests to the model at the same time. More than 1 helps only if the Ollama server runs with a higher `OLLAMA_NUM_PARALLEL`"},
		{"scout.record", &recording{onOff{&c.Scout.Record}}, "false",
			"`true` keeps the scorer's judgements, with the code that was judged, as training examples: at most 32 MB in `.tidepool/training`, which only you can read. `controlserver export-training` prints them"},
		{"scout.measure_tests", &onOff{&c.Scout.MeasureTests}, "true",
			"Once scout or teach-graph is asked about a Go module of a trusted project, the module's tests run one by one in the background, in a sandbox, to record which functions each of them runs. The record is kept in `.tidepool/coverage`, at most 64 MB. `false`: scout estimates which tests run a function, and teach-graph goes by the code alone"},
	}
}

func (c *Config) conversationKeys() []key {
	const tenYears = 3650 * day
	return []key{
		{"conversations.enabled", &onOff{&c.Conversations.Enabled}, "true",
			"What you and Claude said in this project's sessions can be searched. `false`: no transcript is read, and the archive is left as it is"},
		{"conversations.keep", duration(&c.Conversations.Keep, 0, tenYears), "365d",
			"How long after its last prompt a session can still be read here when Claude Code has deleted its transcript. `\"0s\"`: no longer than the transcript"},
		{"conversations.scope", &oneOf{&c.Conversations.Scope, []string{"project", "all"}, "all"}, "project",
			"Whose sessions a model may search: those of this project and its worktrees, or with `\"all\"` those of every project that has an archive"},
		{"conversations.exclude", &nameList{&c.Conversations.Exclude}, "[]",
			"Directories whose sessions are not read, as absolute paths or patterns: `[\"/home/me/src/shop/private\", \"*/scratch\"]`"},
	}
}

func (c *Config) workKeys() []key {
	return []key{
		{"work.branch_pattern", &pattern{&c.Work.BranchPattern}, `^bd-([A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)*)/.`,
			"Regular expression whose first group is the issue in a branch's name. \"bd-a3f8/fix-login\" is about `a3f8`; bd's prefix is added to it"},
		{"work.timeout", duration(&c.Work.Timeout, 100*time.Millisecond, 10*time.Minute), "10s",
			"Longest time of `git`, `bd` and `gh`, each"},
		{"work.reconstitute_on_stop", &onOff{&c.Work.ReconstituteOnStop}, "true",
			"When a turn ends, the issues of a trusted project with `.beads` are synced in the background"},
		{"work.stop_timeout", duration(&c.Work.StopTimeout, 100*time.Millisecond, 10*time.Minute), "5s",
			"Longest time of that sync"},
		{"environment.pass", &passes{nameList{&c.EnvironmentPass}}, "[]",
			"Names of variables that the daemon and its children receive beside the harmless ones: `[\"GH_TOKEN\"]`. See [The environment](#the-environment)"},
		{"questions.timeout", duration(&c.Questions.Timeout, time.Second, time.Hour), "5m",
			"Longest time that a question waits for you, within `server.call_timeout`"},
		{"questions.notify", &program{nameList{&c.Questions.Notify}}, "[]",
			"Program, with its arguments, that is run for each question. The question's text is added as the last argument: `[\"notify-send\", \"tidepool\"]`"},
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
	if near := wording.Nearest(name, candidates, 1); len(near) > 0 {
		return near[0]
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if i := slices.IndexFunc(candidates, func(c string) bool { return strings.HasSuffix(c, "."+last) }); i >= 0 {
		return candidates[i]
	}
	return ""
}
