// Package hook answers the hooks of a coding agent.
//
// Every event passes without a decision, so that the user's own permission prompts stay in force, unless a rule of
// the policy decides about a tool call. On the way it is noted which files a tool may have changed. A hook never
// fails for reasons of its own: what cannot be understood passes, and the log has the reason.
//
// What became of the latest events, and how many sessions there were, is remembered for who asks how the daemon is;
// nothing of what they were about is.
//
// Handlers answer from memory. The package starts no goroutines.
package hook
