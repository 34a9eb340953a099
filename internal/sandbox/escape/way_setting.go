//go:build linux

package escape

import (
	"strings"
	"time"
)

// settingWays are ways to change what Claude Code, tidepool and editors read in a project and run, send or permit something by.
func settingWays() []Way {
	settings := changes("project/.claude/settings.json")
	return []Way{
		{Name: "append to settings", Try: appendEach(settingFiles()), Does: settings, Also: changesEach("project/", settingFiles()), Partial: stateOpen},
		{Name: "create settings", Try: appendEach(settingFiles()), Without: settingFiles(), Does: settings, Also: changesEach("project/", settingFiles()), Partial: stateOpen},
		{Name: "settings by their directory's copy", Try: `mv .claude was; cp -r was .claude; echo x >> .claude/settings.json`, Does: settings},
		{Name: "settings by a link to their directory", Try: `mv .claude was; ln -s was .claude; echo x >> .claude/settings.json`, Does: settings},
		{Name: "settings by a link in their place", Try: `echo x > mine; ln -sf ../mine .claude/settings.json`, Does: settings},
		{Name: "settings by a missing directory's link", Try: `mkdir mine; echo x > mine/settings.json; ln -s mine .claude`, Without: []string{".claude"}, Does: changes("project/.claude")},
		{Name: "remove settings that deny", Try: `rm -f .claude/settings.json; rm -rf .claude`, Does: settings},
		{Name: "empty settings that deny", Try: `: > .tidepool/config.json; rm -f .tidepool/config.json; rm -rf .tidepool`, Does: changes("project/.tidepool/config.json"), Partial: stateOpen},
		{Name: "a pipe in place of a setting", Try: `mkfifo .envrc`, Without: []string{".envrc"}, Does: changes("project/.envrc"), Timeout: 20 * time.Second},
		{Name: "a huge file in place of a setting", Try: `truncate -s 200G .envrc || truncate -s 3G .envrc`, Without: []string{".envrc"}, Does: changes("project/.envrc"), Timeout: 20 * time.Second},
		{Name: "secrets of the state directory", Try: `cat .tidepool/scrub.key .tidepool/*/* .tidepool/*`, Does: reads("project/.tidepool/scrub.key"), Partial: stateOpen},
		{Name: "audit log", Try: `: > .tidepool/audit.jsonl; rm -f .tidepool/audit.jsonl`, Does: changes("project/.tidepool/audit.jsonl"), Partial: stateOpen},
	}
}

// appendEach is a shell line that appends to each of some files, and makes what is missing.
func appendEach(paths []string) string {
	return `for f in "` + strings.Join(paths, `" "`) + `"; do mkdir -p "$(dirname "$f")"; echo x >> "$f"; done`
}

// changesEach is the breaches of files.
func changesEach(prefix string, paths []string) []Breach {
	var all []Breach
	for _, path := range paths {
		all = append(all, changes(prefix+path))
	}
	return all
}

// stateOpen is what only mounts keep apart from the project around it.
const stateOpen = "the project's state directory can be read and written"

// settingFiles are the protected files of a project that rows write to.
func settingFiles() []string {
	return []string{
		".claude/settings.json", ".claude/settings.local.json", ".claude/commands/run.md", ".claude/agents/helper.md", ".claude/skills/do/SKILL.md",
		".mcp.json", ".tidepool/config.json", ".vscode/tasks.json", ".vscode/settings.json", ".idea/workspace.xml", ".envrc",
	}
}
