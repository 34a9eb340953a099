// Package hook answers the hooks of a coding agent.
//
// Every event passes without a decision, so that the user's own permission prompts stay in force, unless a rule of
// the policy decides about a tool call. On the way it is noted which files a tool may have changed. A hook never
// fails for reasons of its own: what cannot be understood passes, and the log has the reason.
//
// After an edit the model reads which errors are there that were not before, in the edited file or elsewhere, each once:
// errors that the language servers had known before the edit are not told, nor are they again while they last. An edit
// waits for them within a budget; what is not known by then is told after the next tool, if it is still wrong. A change
// that came some other way since the servers had last looked counts with the edit.
//
// What became of the latest events, and how many sessions there were, is remembered for who asks how the daemon is;
// nothing of what they were about is.
//
// All other events are answered from memory. The package starts no goroutines.
package hook
