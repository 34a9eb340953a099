package translate

import (
	"encoding/json"
	"slices"
	"strings"
)

// An answer is an output for Claude Code, read back.
type answer struct {
	Continue      *bool  `json:"continue"`
	StopReason    string `json:"stopReason"`
	SystemMessage string `json:"systemMessage"`
	Decision      string `json:"decision"` // "block", or ""
	Reason        string `json:"reason"`
	Specific      struct {
		Permission        string          `json:"permissionDecision"` // allow, deny, ask, or ""
		PermissionReason  string          `json:"permissionDecisionReason"`
		AdditionalContext string          `json:"additionalContext"`
		UpdatedToolOutput json.RawMessage `json:"updatedToolOutput"`
	} `json:"hookSpecificOutput"`
}

// halts reports whether the turn must end.
func (a answer) halts() bool { return a.Continue != nil && !*a.Continue }

// strictness orders permissions: what counts more comes later.
func strictness(permission string) int {
	return slices.Index([]string{"", "allow", "ask", "deny"}, permission)
}

// merge reads the answers for all parts of one event. The strictest decision counts; the contexts of all are joined.
func merge(answers []json.RawMessage) (whole answer) {
	var contexts []string
	for _, raw := range answers {
		var a answer
		if json.Unmarshal(raw, &a) != nil {
			continue
		}
		if a.halts() && !whole.halts() {
			whole.Continue, whole.StopReason = a.Continue, a.StopReason
		}
		if whole.Decision == "" {
			whole.Decision, whole.Reason = a.Decision, a.Reason
		}
		if strictness(a.Specific.Permission) > strictness(whole.Specific.Permission) {
			whole.Specific.Permission, whole.Specific.PermissionReason = a.Specific.Permission, a.Specific.PermissionReason
		}
		if whole.Specific.UpdatedToolOutput == nil {
			whole.Specific.UpdatedToolOutput = a.Specific.UpdatedToolOutput
		}
		if whole.SystemMessage == "" {
			whole.SystemMessage = a.SystemMessage
		}
		if text := a.Specific.AdditionalContext; text != "" && !slices.Contains(contexts, text) {
			contexts = append(contexts, text)
		}
	}
	whole.Specific.AdditionalContext = strings.Join(contexts, "\n")
	return whole
}

// replacement returns the text of a tool's new output.
func (a answer) replacement() string {
	output := a.Specific.UpdatedToolOutput
	var text string
	if output == nil || json.Unmarshal(output, &text) == nil {
		return text
	}
	of := read(output)
	if text = read(of["file"]).text("content"); text != "" {
		return text
	}
	if all := of.text("stdout") + of.text("stderr"); all != "" {
		return all
	}
	return string(output)
}

// unasked is the reason of a refusal that was a question, which hooks of a client cannot ask.
func unasked(client, reason string) string {
	return strings.TrimSuffix(reason, ".") + ". This needs a person's yes, for which hooks of " + client +
		" cannot ask, so it is refused: ask the person to run it, or to change the policy."
}

// encode returns an output, nil if it has no member.
func encode(output map[string]any) json.RawMessage {
	if len(output) == 0 {
		return nil
	}
	text, err := json.Marshal(output)
	if err != nil {
		return nil
	}
	return text
}

// common returns an output with what all clients read alike.
func (a answer) common() map[string]any {
	output := map[string]any{}
	if a.halts() {
		output["continue"], output["stopReason"] = false, a.StopReason
	}
	if a.SystemMessage != "" {
		output["systemMessage"] = a.SystemMessage
	}
	return output
}
