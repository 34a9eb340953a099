// Package ask keeps the questions of tools to the user until somebody answers
// them.
//
// A question is shown on several channels at the same time: a terminal program
// beside Claude Code, the MCP client's own dialog, a command in any shell. The
// first answer counts, and every channel is notified. An [Answer] names its
// source. Without an answer it says whether anybody can have seen the question: a
// question that nobody saw is never a no.
//
// A [Store] keeps the questions in a file, so an answer survives a restart of the
// daemon. Questions that were open at the restart are withdrawn.
package ask
