package protocol

// Refuse returns the output that refuses the event, with a reason for the model
// or the user. It returns nil for an event whose output has no decision: such a
// hook can only exit with status 2.
func Refuse(event Event, reason string) HookOutput {
	block := Blocking{Block: reason}
	switch event {
	case PreToolUse:
		return &PreToolUseOutput{Decision: Deny, Reason: reason}
	case PermissionRequest:
		return &PermissionRequestOutput{Decision: Deny, Message: reason}
	case PreModelSwitch:
		return &PreModelSwitchOutput{Decision: Deny, Reason: reason}
	case Elicitation:
		return &ElicitationOutput{Action: Decline}
	case ElicitationResult:
		return &ElicitationResultOutput{Action: Decline}
	case UserPromptSubmit:
		return &UserPromptSubmitOutput{Blocking: block}
	case UserPromptExpansion:
		return &UserPromptExpansionOutput{Blocking: block}
	case PostToolUse:
		return &PostToolUseOutput{Blocking: block}
	case PostToolBatch:
		return &PostToolBatchOutput{Blocking: block}
	case Stop:
		return &StopOutput{Blocking: block}
	case SubagentStop:
		return &SubagentStopOutput{Blocking: block}
	case PreCompact:
		return &PreCompactOutput{Blocking: block}
	case ConfigChange:
		return &ConfigChangeOutput{Blocking: block}
	case TaskCreated:
		return &TaskCreatedOutput{Blocking: block}
	case TaskCompleted:
		return &TaskCompletedOutput{Blocking: block}
	}
	return nil
}
