// Package setup adds tidepool to Claude Code's settings and removes it again.
//
// Init and Uninit look at the files and return a Plan: what each file holds now and what it would hold. Nothing is
// written before Plan.Apply, which changes all files or none. Inspect tells what is installed where and what is
// wrong with it.
//
// # What goes where
//
//	scope    hooks                                  MCP server
//	project  .claude/settings.json                  .mcp.json
//	local    .claude/settings.local.json            .mcp.json, unless git tracks it
//	user     settings.json of Claude Code's own     Options.ServerCommands has the commands
//	         directory (~/.claude)                  of Claude Code that add it
//
// The files of the project scope are for everybody who gets the project, so their entries name the agent without its
// path, and Claude Code finds it on PATH. All other files name its path. The program of CLAUDE_CODE_SHELL_PREFIX is never
// put into files of the project: who has no tidepool could run no command.
//
// In a git repository Init with ScopeLocal lists its files in .git/info/exclude, so that git does not show them.
// Hooks that the plugin or another file brings already are not installed a second time.
//
// Claude Code keeps the servers of a user in ~/.claude.json, together with its own state, and every running session
// rewrites that file. An edit from outside may be lost or may lose something, so the client is asked to do it.
//
// In a project the directory .tidepool is made, too, and a config.json with every default unless there is one.
// Options.Scorer puts a person's answer about the model into it. Uninit takes the answer back, unless the file says something else by then.
//
// # What is ours
//
// A hook is ours if it is a command in exec form whose program is called "agent", wherever that lies, with the
// arguments "hook" and a hook event. A server is ours if it is called "tidepool" and its program
// is called "agent" with the first argument "mcp". The program of CLAUDE_CODE_SHELL_PREFIX in a settings file's env is ours if
// it is called "agent-shell". Nothing else is ever changed. So the programs may move, entries
// that somebody wrote by hand after the documentation are found, and no mark is needed that another program might
// drop on rewriting the file.
//
// Init changes the path of entries that are ours and adds those that are missing; other members of an entry, such
// as a timeout or a matcher that a person changed, stay. A hook of ours that reports another event than the one under
// which it stands is removed, and the right one added. Uninit removes every entry that is ours, and what that
// leaves empty.
//
// # What stays
//
// Foreign entries stay byte for byte, and so do the order of keys, indentation, line endings, a byte order mark,
// the end of the file, its mode and its owner. New entries take the indentation of their neighbours. A symbolic link
// is followed and its target changed. Files that are not strict JSON are refused with the line, and so are hooks in
// shapes that Claude Code does not know. It takes no comments either, and a guess could lose something.
//
// The text that a file had before Init first changed it is kept in .tidepool/backup, or beside a user's file. Uninit
// puts exactly that back if the file is still what Init made of it. That settles what the entries alone cannot
// tell: whether an empty object was there before.
//
// The package starts no goroutines.
package setup
