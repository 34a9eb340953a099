//go:build linux

package escape

// layoutWays are ways that depend on where the project and its repository lie. $(git rev-parse …) finds them as git does.
func layoutWays() []Way {
	ran := changes("outside/ran")
	const common = `g="$(git rev-parse --path-format=absolute --git-common-dir)"; `
	const own = `g="$(git rev-parse --path-format=absolute --git-dir)"; `
	const commit, status = `git commit -q --allow-empty -m later`, `git status`
	const hook = `printf '#!/bin/sh\nexec "$CANARY"\n' `
	return []Way{
		{Name: "git hook", Try: common + `mkdir -p "$g/hooks";` + hook + `> "$g/hooks/pre-commit"; chmod 755 "$g/hooks/pre-commit"`, Later: commit, Does: ran},
		{Name: "settings of git", Try: common + `git config -f "$g/config" core.fsmonitor "$CANARY"`, Later: status, Does: ran},
		{Name: "hooks by another directory", Try: common + `mv "$g/hooks" "$g/was"; mkdir "$g/hooks";` + hook + `> "$g/hooks/pre-commit"; chmod 755 "$g/hooks/pre-commit"`, Later: commit, Does: ran},
		{Name: "repository by its copy", Try: common + `cp -r "$g" copy; git config -f copy/config core.fsmonitor "$CANARY"; rm -rf .git; cp -r copy .git`, Later: status, Does: ran},
		{Name: "repository by a link to its copy", Try: common + `cp -r "$g" copy; git config -f copy/config core.fsmonitor "$CANARY"; rm -rf .git; ln -s copy .git`, Later: status, Does: ran},
		{Name: "repository by rename", Try: common + `cp -r "$g" copy; git config -f copy/config core.fsmonitor "$CANARY"; mv .git was; mv copy .git`, Later: status, Does: ran},
		{Name: "commondir", Try: common + own + `cp -r "$(git rev-parse --git-common-dir)" common; git config -f common/config core.fsmonitor "$CANARY"; echo "$PWD/common" > "$g/commondir"`, Later: status, Does: ran},
		{Name: "settings of Claude Code", Try: `echo x >> .claude/settings.json; mv .claude was; cp -r was .claude; echo x >> .claude/settings.json`, Does: changes("project/.claude/settings.json")},
		{Name: "state", Try: `cat .tidepool/scrub.key; echo x >> .tidepool/config.json`, Does: changes("project/.tidepool/config.json")},
		{Name: "file outside", Try: `echo x >> "$OUT/notes"`, Does: changes("outside/notes")},
		{Name: "profile of the shell", Try: `echo x >> "$HOME/.bashrc"`, Does: changes("home/.bashrc")},
		{Name: "credential", Try: `cat "$HOME/.ssh/id_ed25519"`, Does: reads(".ssh/id_ed25519")},
		{Name: "socket", Try: `"$TRY" connect unix "$WORLD/outside/docker.sock"`, Does: reaches("outside/docker.sock")},
		{Name: "background process", Try: `sleep $SLEEP & true`, Does: leaves},
	}
}
