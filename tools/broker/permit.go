package broker

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"tidepool/protocol"
	"tidepool/tools"
	"tidepool/tools/catalogue"
)

// claudeName is the prefix under which Claude Code, and so a rule of the policy, names the tools.
const claudeName = "mcp__tidepool__"

// permit returns why a command may not call a tool.
//
// In a project that the user does not trust, the command may be run by the project's code: that may ask about this code and read what it
// printed, but not what was said and remembered. A rule that asks cannot ask in the middle of a command, so it refuses.
func (b *Broker) permit(name string, arguments json.RawMessage) error {
	d, safe := b.safe[name]
	switch {
	case !safe:
		return b.unreachable(name)
	case !b.options.Trusted() && !slices.Contains(b.options.Untrusted, name):
		return forbidden(name + " is not reachable from a command of a project that is not trusted: the user can trust it with agent trust")
	case namesSession(d, arguments):
		return forbidden("session_id is not accepted from a command, which has the references of its own session: leave it out")
	}
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	verdict, decided := b.options.Policy.Decide(claudeName+name, arguments)
	if decided && (verdict.Decision == protocol.Deny || verdict.Decision == protocol.Ask) {
		return forbidden("refused by a rule: " + verdict.Reason + ": call " + name + " as a tool")
	}
	return nil
}

func forbidden(message string) error {
	return &catalogue.StatusError{Status: http.StatusForbidden, Message: message}
}

// unreachable returns why a tool that is not on the list is not called.
func (b *Broker) unreachable(name string) error {
	if slices.ContainsFunc(b.options.Tools.Definitions(), func(d tools.Definition) bool { return d.Name == name }) {
		return forbidden(name + " is not reachable from a command, because it changes something, reaches beyond the machine or reads files: call it as a tool")
	}
	_, err := b.list.Tool(name)
	return err
}

// namesSession reports whether the arguments have the one by which callers of HTTP name their session to the safe tools. Names of
// arguments are matched without regard to case.
func namesSession(d tools.Definition, arguments json.RawMessage) bool {
	var given map[string]json.RawMessage
	if d.Toolset != "execution" || json.Unmarshal(arguments, &given) != nil {
		return false
	}
	for name := range given {
		if strings.EqualFold(name, "session_id") {
			return true
		}
	}
	return false
}
