// Package translate turns the hook events of clients other than Claude Code into Claude Code's, and the answers into what
// those clients read.
//
//	Claude Code         Codex             Gemini CLI     Cursor
//	SessionStart        SessionStart      SessionStart   sessionStart
//	UserPromptSubmit    UserPromptSubmit  BeforeAgent    beforeSubmitPrompt
//	PreToolUse          PreToolUse        BeforeTool     preToolUse
//	PostToolUse         PostToolUse       AfterTool      postToolUse
//	PostToolUseFailure                    AfterTool      postToolUseFailure
//	Stop                Stop              AfterAgent     stop
//	SessionEnd          SessionEnd        SessionEnd     sessionEnd
//
// Tools have Claude Code's names and arguments afterwards, so that policies and everything else need to know one set: a
// shell command is Bash, an edit is Edit or Write with an absolute path. A patch of Codex becomes one event for each file
// in it; the strictest decision counts for the patch.
//
// What a client cannot do is not left out in silence where it would let something pass: where a hook cannot ask, a
// decision to ask refuses and says so. An output that is to be replaced is replaced by the means that the client has. The
// transcripts of these clients have other formats, so their paths are dropped.
//
// testdata has the events of each client, with where they are from. The package imports the wire only.
package translate
