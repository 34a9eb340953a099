package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"time"
)

// A Config holds the effective value of every key. It is made by Load; its zero value is not the defaults.
type Config struct {
	Log         Log
	Server      Server
	PreToolUse  string              // pre_tool_use: "pass" leaves the decision to Claude Code, "allow" answers allow
	Policy      []Rule              // policy: the first rule that matches a tool call decides it
	PolicyDirs  []string            // policy.dirs: directories with policy files of a team, absolute or below "~/"
	Languages   map[string]Language // languages: changes to the table of language servers, by language id
	AlwaysLoad  []string            // tools.always_load: names of tools whose schemas the model has without a search for them
	ReadyBudget time.Duration       // ready_budget: how long a tool call waits for language servers to be ready
	Memory      Memory
	Scout       Scout
	Diagnostics Diagnostics
	SearchNotes SearchNotes

	LanguageIdleTimeout      time.Duration // language_idle_timeout: a language server that nobody has asked for so long is stopped; 0: never
	LanguageDraftIdleTimeout time.Duration // language_draft_idle_timeout: the same of one that changes are tried out in
	LanguageMemoryLimitMB    int           // language_memory_limit_mb: one whose processes have grown above it is restarted; 0: none is
	LanguageProcessLimit     int           // language_process_limit: how many run at the same time

	EnvironmentPass []string // environment.pass: names of variables that the daemon has beside those known to be harmless

	Conversations Conversations
	Recall        Recall

	Exec  Exec
	Scrub Scrub
	Refs  Refs
	Audit Audit

	Work      Work
	Questions Questions

	// Refused are the settings of the file that do not count, see Sources.Distrust.
	Refused []*RefusedError

	from    Sources
	sources map[string]string // key → where its value came from; absent: default
}

// Log says what is logged and how much of it is kept.
type Log struct {
	Level     string // debug, info, warn or error
	MaxSizeMB int    // megabytes; a larger log file is rotated
	MaxFiles  int    // rotated files kept beside the current one
}

// Server holds the limits of the socket server.
type Server struct {
	Workers        int           // tool calls that run at the same time
	MaxConnections int           // open at the same time; for a further one, one that nobody waits on is closed
	CallTimeout    time.Duration // one tool call
	HookTimeout    time.Duration // one hook event
	LineTimeout    time.Duration // from the first byte of a request to the end of its line
	DrainTimeout   time.Duration // calls in flight may finish for so long after SIGTERM
	IdleTimeout    time.Duration // a daemon that was started by itself leaves when nobody has needed it for so long; 0: never
	HTTP           string        // address of a loopback port for HTTP; "": none is opened
}

// Memory says what the daemon and all that it starts may occupy together.
type Memory struct {
	BudgetMB int // megabytes; 0: half of what the machine has available when the daemon starts
}

// Diagnostics says how a model is told of the errors that its edits bring.
type Diagnostics struct {
	Enabled  bool
	Budget   time.Duration // how long the hook of an edit waits for them
	MaxLines int           // errors that are listed; the rest is counted
}

// SearchNotes says whether a model that searches for an identifier is told what it is.
type SearchNotes struct {
	Enabled bool
	Budget  time.Duration // how long the hook of a search waits for the note
}

// Scout says who scores the edges of a walk.
type Scout struct {
	Scorer       string        // "ollama", "heuristic", or "" for ollama if Endpoint is set and the heuristic otherwise
	Endpoint     string        // URL of the Ollama server; "" is none
	Model        string        // name of the model there
	Timeout      time.Duration // one request to the model
	Concurrency  int           // requests to the model at the same time
	Record       bool          // what scorers can be trained with is kept in .tidepool/training
	MeasureTests bool          // the tests of Go modules that are asked about are run in a sandbox, to see which functions each runs
}

// Conversations says what is kept of the project's sessions with Claude Code.
type Conversations struct {
	Enabled bool
	Keep    time.Duration // after the last prompt of a session whose transcript is gone; 0: no longer than its transcript
	Scope   string        // "project" finds this project's sessions, "all" those of every project
	Exclude []string      // patterns of directories whose sessions are not read, as path.Match takes them
}

// Work says how the state of the work is found.
type Work struct {
	BranchPattern      string        // its first group is the issue in a branch's name
	Timeout            time.Duration // of git, bd and gh each
	ReconstituteOnStop bool          // the tracker is synced when a turn ends
	StopTimeout        time.Duration // how long that may take
}

// Questions says how the user is asked.
type Questions struct {
	Timeout time.Duration // how long a question waits, within the call's own timeout
	Notify  []string      // a program and its arguments, run with the question behind them; empty: none
}

// A Language changes one entry of the table of language servers. Its zero value changes nothing.
type Language struct {
	Command  []string       // program and arguments; nil keeps the table's
	Disabled bool           // the server is never started
	Settings map[string]any // sent to the server beside the table's own; nil adds none
}

// Sources says where values come from, apart from the defaults.
type Sources struct {
	Project   string                           // directory that holds .tidepool; a missing file is an empty one
	Env       func(name string) (string, bool) // shaped like os.LookupEnv; nil: no environment
	Flags     map[string]string                // key → text from the command line; an empty text is not set
	Languages []string                         // ids that "languages" may name; nil: any

	// Distrust says why the user may not have made the file, or not trust the project, or nil. It is asked only if the file
	// has settings that run programs, let tools run unasked, write down what is asked or send code away; these do not count
	// then. A Hint of its error says what makes them count. A nil Distrust trusts.
	Distrust func(path string) error
}

// A Setting is one effective value and where it came from.
type Setting struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`  // as it would stand in the file; passwords in URLs are masked
	Source string          `json:"source"` // "default", "FILE:LINE", the name of a variable, or "command line"
}

// Path returns the configuration file of the project.
func Path(project string) string {
	return filepath.Join(project, ".tidepool", "config.json")
}

// Load reads all sources. Its error joins a KeyError for each thing wrong, or says why the file could not
// be read.
func Load(src Sources) (*Config, error) {
	l := loader{config: &Config{from: src, sources: make(map[string]string)}}
	l.keys = l.config.keys(src.Languages)
	l.defaults()
	if err := l.file(Path(src.Project)); err != nil {
		return nil, err
	}
	if src.Distrust != nil {
		l.restrict(func() error { return src.Distrust(Path(src.Project)) })
	}
	l.environment(src.Env)
	l.flags(src.Flags)
	if err := errors.Join(l.problems...); err != nil {
		return nil, err
	}
	return l.config, nil
}

// Again reads the same sources again, and leaves c as it is.
func (c *Config) Again() (*Config, error) { return Load(c.from) }

// Changed returns the keys whose values differ from those of an other Config, in the order of the documentation.
func (c *Config) Changed(other *Config) []string {
	ours, theirs := c.keys(nil), other.keys(nil)
	var changed []string
	for i := range ours {
		if !bytes.Equal(encode(ours[i].value.show()), encode(theirs[i].value.show())) {
			changed = append(changed, ours[i].name)
		}
	}
	return changed
}

// Settings returns every key with its effective value, in the order of the documentation.
func (c *Config) Settings() []Setting {
	keys := c.keys(nil)
	settings := make([]Setting, len(keys))
	for i, k := range keys {
		settings[i] = Setting{Key: k.name, Value: encode(k.value.show()), Source: c.sources[k.name]}
	}
	return settings
}
