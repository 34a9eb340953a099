// Package conversations has the commands about old conversations: search, and conversations with what can be done with one.
//
// They open the archive themselves and read what is new, unless a daemon does that already. So they work beside a daemon and
// without one.
package conversations

// Conversations has the commands about old conversations.
type Conversations struct {
	Browse  browseCommand  `cmd:"" default:"withargs" help:"Find and read conversations in a terminal; elsewhere, list them."`
	Show    showCommand    `cmd:"" help:"Print a conversation, or one turn of it."`
	Export  exportCommand  `cmd:"" help:"Write a conversation as Markdown."`
	Resume  resumeCommand  `cmd:"" help:"Continue a conversation with Claude Code, in its own directory."`
	Forget  forgetCommand  `cmd:"" help:"Remove a conversation for good, or all of the project's."`
	Exclude excludeCommand `cmd:"" help:"Do not read the conversations of some directories from now on."`
}
