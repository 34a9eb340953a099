package client

import (
	"encoding/json"
	"path/filepath"

	"tidepool/internal/setup/jsonedit"
	"tidepool/internal/setup/tomledit"
)

// A serverConfig is what Gemini CLI and Cursor have of a server on stdio.
type serverConfig struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// An opencodeConfig is what opencode has of one.
type opencodeConfig struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// A jsonServer is the server in a JSON file.
type jsonServer struct {
	at   string // the pointer to the object of all servers
	list bool   // the program and its arguments are one list, as in opencode's file
}

func (s jsonServer) pointer() string { return s.at + "/" + serverName }

// Find returns our server.
func (s jsonServer) Find(text []byte) ([]Entry, error) {
	e, _, err := s.read(text)
	if e == nil || err != nil {
		return nil, err
	}
	return []Entry{*e}, nil
}

// read returns our server, nil if there is none, and whether there is one of that name at all.
func (s jsonServer) read(text []byte) (e *Entry, is bool, err error) {
	value, err := jsonedit.Find(text, s.pointer())
	if value == nil || err != nil {
		return nil, false, explain(err)
	}
	var found struct {
		Command json.RawMessage
		Args    []string
		Enabled *bool
	}
	if json.Unmarshal(value, &found) != nil {
		return nil, true, nil
	}
	words := found.Args
	var one string
	if json.Unmarshal(found.Command, &one) == nil {
		words = append([]string{one}, words...)
	} else if json.Unmarshal(found.Command, &words) != nil {
		return nil, true, nil
	}
	if !isOurs(words) {
		return nil, true, nil
	}
	e = &Entry{What: "MCP server", Command: words[0]}
	if found.Enabled != nil && !*found.Enabled {
		e.Off = `"enabled": false`
	}
	return e, true, nil
}

// isOurs reports whether a command line runs our server.
func isOurs(words []string) bool {
	return len(words) >= 2 && filepath.Base(words[0]) == program && words[1] == "mcp"
}

// Put adds the server, or changes its program.
func (s jsonServer) Put(text []byte, program string) ([]byte, error) {
	e, is, err := s.read(text)
	switch {
	case err != nil:
		return nil, err
	case e == nil && is:
		return nil, taken(jsonedit.Line(text, s.pointer()))
	case e != nil && e.Command == program:
		return text, nil
	case e != nil && s.list:
		text, err = jsonedit.Insert(text, s.pointer()+"/command/0", program)
	case e != nil:
		text, err = jsonedit.Insert(text, s.pointer()+"/command", program)
	case s.list:
		text, err = jsonedit.Insert(text, s.pointer(), opencodeConfig{"local", []string{program, "mcp"}, true})
	default:
		text, err = jsonedit.Insert(text, s.pointer(), serverConfig{program, []string{"mcp"}})
	}
	return text, explain(err)
}

// Remove takes the server out.
func (s jsonServer) Remove(text []byte) ([]byte, error) {
	e, _, err := s.read(text)
	if e == nil || err != nil {
		return text, err
	}
	text, err = jsonedit.Remove(text, s.pointer())
	return text, explain(err)
}

// codexServer is the server in Codex's config.toml.
type codexServer struct{}

// Find returns our server.
func (s codexServer) Find(text []byte) ([]Entry, error) {
	e, _, err := s.read(text)
	if e == nil || err != nil {
		return nil, err
	}
	return []Entry{*e}, nil
}

func (codexServer) read(text []byte) (*Entry, *tomledit.Table, error) {
	table, err := tomledit.Find(text, "mcp_servers", serverName)
	if table == nil || err != nil {
		return nil, nil, explain(err)
	}
	command, _ := table.Values["command"].(string)
	words := []string{command}
	args, _ := table.Values["args"].([]any)
	for _, a := range args {
		word, _ := a.(string)
		words = append(words, word)
	}
	if !isOurs(words) {
		return nil, table, nil
	}
	e := &Entry{What: "MCP server", Command: command}
	if on, is := table.Values["enabled"].(bool); is && !on {
		e.Off = "enabled = false"
	}
	return e, table, nil
}

// Put adds the server, or changes its program.
func (s codexServer) Put(text []byte, program string) ([]byte, error) {
	e, table, err := s.read(text)
	switch {
	case err != nil:
		return nil, err
	case table != nil && e == nil:
		return nil, taken(max(table.Line, 1))
	case e != nil && e.Command == program:
		return text, nil
	case e != nil && table.Line == 0:
		return nil, otherForm()
	case e != nil:
		text, err = tomledit.SetString(text, "command", program, "mcp_servers", serverName)
	default:
		values := []tomledit.Value{{Key: "command", Value: program}, {Key: "args", Value: []string{"mcp"}}}
		text, err = tomledit.Add(text, values, "mcp_servers", serverName)
	}
	return text, explain(err)
}

// Remove takes the server out.
func (s codexServer) Remove(text []byte) ([]byte, error) {
	e, table, err := s.read(text)
	if e == nil || err != nil {
		return text, err
	}
	if table.Line == 0 {
		return nil, otherForm()
	}
	text, err = tomledit.Remove(text, "mcp_servers", serverName)
	return text, explain(err)
}

// otherForm is the error for a server that somebody has written as a part of another table.
func otherForm() error {
	return &Error{1, "the server " + serverName + " has no header [mcp_servers." + serverName + "] of its own, so it cannot be changed without changing more",
		"change it by hand, or run `codex mcp remove " + serverName + "`"}
}
