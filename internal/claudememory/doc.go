// Package claudememory finds and searches the files in which Claude Code remembers. It reads them, and never writes.
//
// # Which files
//
// Those that version 2.1 of Claude Code documents, for a session in some directory:
//
//   - /etc/claude-code/CLAUDE.md
//   - CLAUDE.md and rules/*.md in its configuration directory, which is CLAUDE_CONFIG_DIR or ~/.claude
//   - CLAUDE.md, CLAUDE.local.md, .claude/CLAUDE.md and .claude/rules/*.md in the directory and all above it
//   - MEMORY.md and the topics beside it, in the memory directory of the project
//
// The memory directory is autoMemoryDirectory of the settings, else projects/<slug>/memory in the configuration directory. The slug is made
// from the path of the repository's main worktree, so worktrees share it; older versions made it from the worktree itself, so that one is
// read as well. Files that a CLAUDE.md imports with @, and those below the session's directory, are not among them.
//
// # What is refused
//
// Links, files of other users but root, what is no regular file, and what is larger than the limits. [Found] names each. A setting in
// the project's own files may name a memory directory only where the caller trusts the project: else a clone could have any
// directory of Markdown read out.
package claudememory
