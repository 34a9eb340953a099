package hook

import "tidepool/protocol"

// withContext adds what the model reads to the output of an event, which may be nil. It does not fit if the event, or the
// output that decides it, has no room for a text.
func withContext(event protocol.Event, output protocol.HookOutput, text string) (whole protocol.HookOutput, fits bool) {
	switch o := output.(type) {
	case *protocol.PreToolUseOutput:
		o.AdditionalContext = text
		return o, true
	case *protocol.PostToolUseOutput:
		o.AdditionalContext = text
		return o, true
	case nil:
		if made := contextOf(event, text); made != nil {
			return made, true
		}
	}
	return output, false
}

// contextOf returns an output that decides nothing; nil if the event has none that the model reads.
func contextOf(event protocol.Event, text string) protocol.HookOutput {
	switch event {
	case protocol.SessionStart:
		return &protocol.SessionStartOutput{AdditionalContext: text}
	case protocol.SubagentStart:
		return &protocol.SubagentStartOutput{AdditionalContext: text}
	case protocol.UserPromptSubmit:
		return &protocol.UserPromptSubmitOutput{AdditionalContext: text}
	case protocol.PreToolUse:
		return &protocol.PreToolUseOutput{AdditionalContext: text}
	case protocol.PostToolUse:
		return &protocol.PostToolUseOutput{AdditionalContext: text}
	case protocol.PostToolUseFailure:
		return &protocol.PostToolUseFailureOutput{AdditionalContext: text}
	}
	return nil
}
