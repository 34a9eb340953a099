// Package skill reads and writes the skills and agents of Claude Code: .claude/skills/<name>/SKILL.md and .claude/agents/<name>.md, of a
// project and of its user. It has no store of its own: the files are what Claude Code reads.
//
// A file is YAML frontmatter between two lines of --- and text in Markdown. The package reads frontmatter as Claude Code 2.1.328 does: its
// first --- after the beginning ends it, a skill has the name of its directory, and an agent the name in its frontmatter. What Claude Code
// would ignore or not load is a problem of the document, in words.
//
// A skill is text that a model follows, and a clone may bring one along. Directories and files are opened one name after the other, without
// following a link; what is no regular file of this user is skipped, with the reason. A file is made or replaced as a whole or not at all.
//
// The package asks nobody: whoever writes has asked the user before.
package skill
