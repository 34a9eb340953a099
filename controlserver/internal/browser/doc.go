// Package browser is the terminal program that finds and reads old conversations: a line to type in, the turns that match as
// one types, and beside them the conversation with the match in view.
//
// It has three modes. In the first, letters go into the line. Enter opens the selected conversation, where letters are
// commands. The third asks before a conversation is forgotten. What is shown is foreign text: it is escaped before the terminal sees it.
package browser
