package config

import "time"

// Exec says what a model may run, read and write unasked.
type Exec struct {
	Enabled   bool
	Accept    string        // the weakest isolation that a command runs in: full, partial or none
	Home      string        // "listed" shows commands the toolchains of the home directory, "open" all but known credentials
	Read      []string      // paths that commands may read beside those
	Write     []string      // paths outside of the project that commands may write
	Hide      []string      // paths that commands cannot see
	Protect   []string      // paths of the project that commands cannot write, beside those that always are
	Network   string        // "ask" asks the user, "deny" refuses, "allow" lets every command have it that asks
	Timeout   time.Duration // of a command that names none
	MemoryMB  int           // megabytes of all processes of a command
	Processes int           // of a command at the same time
	OutputMB  int           // megabytes that are kept of each stream of a command
}

// Scrub says which secrets are taken out of texts that a model reads.
type Scrub struct {
	Native string   // of Claude Code's own tools: "known" values, "all" forms too, "off"
	Values []string // names of variables and files that hold secrets, beside those that look so
	Allow  []string // values that are no secrets
}

// Refs says how long the whole texts of outputs are kept.
type Refs struct {
	MaxMB int // megabytes of a project
	TTL   time.Duration
}

// Audit says whether tool calls are written down.
type Audit struct{ Enabled bool }

func (c *Config) executionKeys() []key {
	return []key{
		{"exec.enabled", &onOff{&c.Exec.Enabled}, "true",
			"`safe_bash`, `safe_read`, `safe_write` and `ref_content` work. `false`: they refuse"},
		{"exec.accept", &narrowest{oneOf{&c.Exec.Accept, []string{"full", "partial", "none"}, ""}}, "full",
			"Weakest [isolation](execution.md#isolation) that a command of `safe_bash` runs in. `\"none\"` runs commands with your own rights"},
		{"exec.home", &narrowest{oneOf{&c.Exec.Home, []string{"listed", "open"}, ""}}, "listed",
			"What commands see of your home directory: toolchains only, or with `\"open\"` all but known places of credentials. They write nothing there"},
		{"exec.read", &passes{nameList{&c.Exec.Read}}, "[]",
			"Paths outside of the project that commands may read, too"},
		{"exec.write", &passes{nameList{&c.Exec.Write}}, "[]",
			"Paths outside of the project that commands may write"},
		{"exec.hide", &nameList{&c.Exec.Hide}, "[]",
			"Paths that commands cannot see"},
		{"exec.protect", &nameList{&c.Exec.Protect}, "[]",
			"Paths of the project that neither commands nor `safe_write` can write, beside git's hooks and settings, Claude Code's settings and editors' tasks, which they never can"},
		{"exec.network", &oneOf{&c.Exec.Network, []string{"ask", "deny", "allow"}, "allow"}, "ask",
			"A command that wants the network: `\"ask\"` asks you, `\"deny\"` refuses, `\"allow\"` grants it. A [rule](#policy) about the field `network` decides first"},
		{"exec.timeout", duration(&c.Exec.Timeout, time.Second, 5*time.Minute), "30s",
			"Time of a command that names none. It ends with all its processes"},
		{"exec.memory_mb", most(&c.Exec.MemoryMB, 64, 1<<20, 2048), "2048",
			"Megabytes that the processes of a command may occupy together"},
		{"exec.processes", most(&c.Exec.Processes, 8, 1<<15, 256), "256",
			"Processes that a command may have at the same time"},
		{"exec.output_mb", most(&c.Exec.OutputMB, 1, 256, 10), "10",
			"Megabytes that are kept of each stream of a command. The rest is counted"},
		{"scrub.native", &oneOf{&c.Scrub.Native, []string{"known", "all", "off"}, "off"}, "known",
			"Secrets taken out of what Claude Code's own tools return: `\"known\"` values only, `\"all\"`: what has the form of a secret, too, `\"off\"`: none"},
		{"scrub.values", &nameList{&c.Scrub.Values}, "[]",
			"Names of variables, and of files of assignments in the project, whose values are secrets, beside those that look so: `[\"DEPLOY_PIN\", \"config/secrets.env\"]`"},
		{"scrub.allow", &passes{nameList{&c.Scrub.Allow}}, "[]",
			"Values that have the form of a secret and are none"},
		{"refs.max_mb", most(&c.Refs.MaxMB, 1, 4096, 64), "64",
			"Megabytes of whole outputs that are kept in `.tidepool/refs`. What was not read for the longest time goes first"},
		{"refs.ttl", duration(&c.Refs.TTL, time.Minute, 30*day), "1d",
			"How long a whole output is kept, at most until its session ends"},
		{"audit.enabled", &stays{onOff{&c.Audit.Enabled}}, "true",
			"What the safe tools do is written to `.tidepool/audit.jsonl`"},
	}
}

// A narrowest is a choice of which only the first counts in a file that may have come with the project.
type narrowest struct{ oneOf }

func (v *narrowest) needsTrust() bool { return *v.field != v.choices[0] }

// A ceiling is a number that a file which may have come with the project cannot raise above the default.
type ceiling struct {
	wholeNumber
	initial int
}

func most(field *int, min, max, initial int) value {
	return &ceiling{wholeNumber{field, min, max}, initial}
}

func (v *ceiling) needsTrust() bool { return *v.field > v.initial }
func (v *ceiling) restrict()        { *v.field = v.initial }

// A stays is an onOff that only the user can switch off.
type stays struct{ onOff }

func (v *stays) needsTrust() bool { return !*v.field }
func (v *stays) restrict()        { *v.field = true }
