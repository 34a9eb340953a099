package config

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Recall says what is remembered, and when it is told.
type Recall struct {
	Enabled   bool
	Scope     string        // "all" finds the memories of every project, "project" keeps those of others out
	Budget    time.Duration // how long a hook waits for memories
	Floor     float64       // added to the evidence that a prompt needs before a memory is told
	Embedder  string        // model of Ollama that compares meanings; "": none
	Extractor string        // model of Ollama that reads sessions in the background; "": none
	Team      string        // URL of the PostgreSQL database that a team shares; "": none
}

func (c *Config) recallKeys() []key {
	return []key{
		{"recall.enabled", &onOff{&c.Recall.Enabled}, "true",
			"The daemon remembers what sessions leave behind, and tells a prompt what matters to it. `false`: nothing is learned or told, and what is remembered stays as it is. The variable `TIDEPOOL_RECALL=0` does the same for the one session that is started with it"},
		{"recall.scope", choice(&c.Recall.Scope, "all", "project"), "all",
			"Whose memories are found: with `\"all\"` those of every project of yours, each with the name of its project; with `\"project\"` only those of this one"},
		{"recall.budget", &patience{span{&c.Recall.Budget, time.Millisecond, time.Minute}}, "20ms",
			"Longest time that a prompt waits for memories, once they are loaded. Then it is told nothing"},
		{"recall.floor", &decimal{&c.Recall.Floor, -10, 10}, "0",
			"Shifts the evidence that a memory needs to be told at a prompt. More than 0: less is told"},
		{"recall.embedder", &model{text{&c.Recall.Embedder}}, "",
			"Name of a model of the Ollama server at `scout.endpoint` that makes embeddings. Memories are then also compared by meaning. `\"\"`: by words alone"},
		{"recall.extractor", &model{text{&c.Recall.Extractor}}, "",
			"Name of a model of that server which reads what sessions did, in the background. What it writes is found when asked for and never told at a prompt. `\"\"`: only rules learn"},
		{"recall.team", &database{&c.Recall.Team}, "",
			"URL of a PostgreSQL database that a team shares: `\"postgres://user@host/name\"`. Only what is saved for the team goes there, see [Memories of a team](team.md). `\"\"`: none"},
	}
}

// A decimal is a number with a fraction. A file that may have come with the project cannot change it.
type decimal struct {
	field    *float64
	min, max float64
}

func (v *decimal) decode(n *node) *fault {
	f, err := strconv.ParseFloat(n.text, 64)
	if n.kind != number || err != nil || math.IsNaN(f) || f < v.min || f > v.max {
		return n.expected(v.accepts())
	}
	*v.field = f
	return nil
}

func (v *decimal) show() any        { return *v.field }
func (v *decimal) accepts() string  { return fmt.Sprintf("a number from %g to %g", v.min, v.max) }
func (v *decimal) needsTrust() bool { return *v.field != 0 }
func (v *decimal) restrict()        { *v.field = 0 }

// A patience is a span that a file which may have come with the project cannot set: prompts wait for it.
type patience struct{ span }

func (v *patience) needsTrust() bool { return *v.field != 20*time.Millisecond }
func (v *patience) restrict()        { *v.field = 20 * time.Millisecond }

// A model is the name of a model that memories are sent to, or none.
type model struct{ text }

func (v *model) decode(n *node) *fault {
	if n.kind == str && n.text == "" {
		*v.field = ""
		return nil
	}
	return v.text.decode(n)
}

func (v *model) accepts() string  { return `the name of a model, or ""` }
func (v *model) needsTrust() bool { return *v.field != "" }
func (v *model) restrict()        { *v.field = "" }

// A database is the URL of a PostgreSQL database that memories are sent to, or none.
type database struct{ field *string }

func (v *database) decode(n *node) *fault {
	if n.kind == str && n.text == "" {
		*v.field = ""
		return nil
	}
	u, err := url.Parse(n.text)
	if n.kind != str || err != nil || !isDatabase(u) {
		before, _, _ := strings.Cut(n.text, "?") // a parameter may be a password
		shown := node{kind: n.kind, line: n.line, text: mask(before)}
		return shown.expected(v.accepts())
	}
	*v.field = n.text
	return nil
}

// isDatabase reports whether a URL names a database, on a host or by the directory of a Unix socket, and no password among its parameters.
func isDatabase(u *url.URL) bool {
	q := u.Query()
	return (u.Scheme == "postgres" || u.Scheme == "postgresql") && (u.Host != "" || q.Has("host")) && strings.Trim(u.Path, "/") != "" &&
		!q.Has("password") && !q.Has("sslpassword")
}

func (v *database) show() any        { return mask(*v.field) }
func (v *database) accepts() string  { return `a URL like "postgres://user@host/name"` }
func (v *database) needsTrust() bool { return *v.field != "" }
func (v *database) restrict()        { *v.field = "" }
