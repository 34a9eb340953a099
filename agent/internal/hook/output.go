package hook

import (
	"bytes"
	"encoding/json"

	"tidepool/agent/internal/client"
)

// render returns the daemon's output for stdout: one line of JSON without null
// members, or nothing for an output without effect. Claude Code drops a whole
// output if an optional member is null.
func render(output json.RawMessage) ([]byte, error) {
	if len(output) == 0 {
		return nil, nil
	}
	if output[0] != '{' {
		return nil, &client.BrokenError{Reason: "the daemon's output for the hook is no JSON object"}
	}
	if bytes.Contains(output, []byte("null")) {
		output = withoutNulls(output, "hookSpecificOutput", "decision")
	}
	if isPass(output) {
		return nil, nil
	}
	return append(output, '\n'), nil
}

// isPass reports whether the output is {} or {"continue":true}, white space aside.
func isPass(output []byte) bool {
	return isJSON(output, "{}") || isJSON(output, `{"continue":true}`)
}

// isJSON reports whether text is the compact JSON, white space aside.
func isJSON(text []byte, compact string) bool {
	for _, c := range text {
		switch {
		case c == ' ' || c == '\t' || c == '\r':
		case compact == "" || compact[0] != c:
			return false
		default:
			compact = compact[1:]
		}
	}
	return compact == ""
}

// withoutNulls removes the null members of object and, below it, of the
// objects on the path. Deeper ones belong to a tool's input or result, where
// null is a value.
func withoutNulls(object json.RawMessage, path ...string) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return object // no JSON object: the client will report it
	}
	for name, value := range members {
		if string(value) == "null" {
			delete(members, name)
		} else if len(path) > 0 && name == path[0] {
			members[name] = withoutNulls(value, path[1:]...)
		}
	}
	var clean bytes.Buffer
	encoder := json.NewEncoder(&clean)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(members) != nil {
		return object
	}
	return bytes.TrimSpace(clean.Bytes())
}
