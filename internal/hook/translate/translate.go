package translate

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"tidepool/protocol"
)

// A Client translates for one client.
type Client interface {
	// Inputs returns an event as Claude Code would send it, one for each file that it is about. event is what the client
	// was set up to run the hook for; "" leaves it to the input. An input that cannot be read stays as it is.
	Inputs(event protocol.Event, input json.RawMessage) []Input
	// Output returns what the client reads, nil for nothing. answers are the outputs for all Inputs.
	Output(event protocol.Event, answers []json.RawMessage) json.RawMessage
}

// An Input is a hook's input as Claude Code sends it.
type Input struct {
	Event protocol.Event
	Raw   json.RawMessage
	// Unsure means that the client does not say whether the command succeeded, so nothing can be learnt from it.
	Unsure bool
}

// For returns the translator for a runtime of the wire, nil for Claude Code.
func For(runtime string) Client {
	switch runtime {
	case "codex":
		return codex{}
	case "gemini":
		return gemini{}
	case "cursor":
		return cursor{}
	}
	return nil
}

// members are those of a JSON object.
type members map[string]json.RawMessage

// read returns the members of an object; nil if it is none.
func read(object json.RawMessage) members {
	var all members
	if json.Unmarshal(object, &all) != nil {
		return nil
	}
	return all
}

// text returns a member that is a string, "" for others.
func (m members) text(name string) string {
	var text string
	_ = json.Unmarshal(m[name], &text)
	return text
}

// joined returns a member that is a text or a list of texts as one text, "" for others.
func (m members) joined(name, separator string) string {
	return joined(m[name], separator)
}

func joined(value json.RawMessage, separator string) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return strings.Join(list(value), separator)
}

// list returns the elements of a list of texts, nil for others.
func list(value json.RawMessage) []string {
	var all []string
	if json.Unmarshal(value, &all) != nil {
		return nil
	}
	return all
}

// set makes a member; nil removes it.
func (m members) set(name string, value any) {
	if value == nil {
		delete(m, name)
		return
	}
	if text, err := json.Marshal(value); err == nil {
		m[name] = text
	}
}

// rename moves the first of some members that is there to another name.
func (m members) rename(to string, from ...string) {
	for _, name := range from {
		if value, is := m[name]; is && m[to] == nil {
			delete(m, name)
			m[to] = value
			return
		}
	}
}

// absolute makes a member that is a path absolute, below the event's directory.
func (m members) absolute(name, cwd string) {
	if path := m.text(name); path != "" && !filepath.IsAbs(path) && filepath.IsAbs(cwd) {
		m.set(name, filepath.Join(cwd, path))
	}
}

// input returns an event with these members. The transcript is not one that we can read.
func (m members) input(event protocol.Event) Input {
	m.set("hook_event_name", event)
	delete(m, "transcript_path")
	delete(m, "agent_transcript_path")
	raw, err := json.Marshal(m)
	if err != nil { // its members were read from JSON
		raw = json.RawMessage("{}")
	}
	return Input{Event: event, Raw: raw}
}

// as returns a copy with another tool and its arguments.
func (m members) as(tool string, arguments any) members {
	other := make(members, len(m))
	for name, value := range m {
		other[name] = value
	}
	other.set("tool_name", tool)
	other.set("tool_input", arguments)
	return other
}
