// Package ask holds the questions that tools put to the user until somebody
// answers them.
//
// A question is shown on several channels at the same time: a terminal program
// beside Claude Code, the MCP client's own dialog, a command in any shell. The
// first answer counts, and every channel hears of it. What nobody saw is never
// an answer: an [Answer] says who gave it, and a question that was not answered
// says whether anybody was there.
//
// The board is kept in a file, so that an answer survives a restart of the
// daemon; questions that were open then are withdrawn, since nobody waits for
// them any more.
package ask
