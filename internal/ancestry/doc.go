// Package ancestry distinguishes a person's process from one that Claude Code
// started.
//
// The socket lets in every process of its user, and so does the state
// directory. What only a person may do (answer a question, grant trust, change
// a rule) is therefore refused to processes below a Claude Code session:
// [Check] walks from a process to its parents and looks for one.
//
// Claude Code is recognised by its program: an executable or a process named
// claude, its native install (claude/versions/), or node with its package.
// [Sessions] remembers those that only their own words identify.
//
// A process that leaves the tree (setsid and a double fork, a tmux server) has
// no such parent any more. Claude Code gives everything that it starts
// CLAUDECODE and CLAUDE_PID, and the system keeps the environment that a
// program was started with. With CLAUDECODE there, in the process or a parent,
// a process is refused if it has no controlling terminal, or if the Claude Code
// that CLAUDE_PID names still runs. So a terminal that an editor opened is a
// person's even if somebody once started the editor from a session that is over.
//
// The check does not recognise a process that first removed these variables and then
// left the tree. The check is a fence within one user, not a wall between two.
package ancestry
