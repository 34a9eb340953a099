//go:build linux

package escape

// replacedGit is what cannot be undone after the command: nothing is put back through what stands in the directory's place.
const replacedGit = "a file or a link in place of .git keeps what was in it from being put back; the outcome says so"

// repositoryWays are ways to have git run something later. Hooks and settings that are planted call the program $CANARY, which
// leaves a file outside when somebody uses git.
func repositoryWays() []Way {
	ran := changes("outside/ran")
	const commit, status = `git commit -q --allow-empty -m later`, `git status`
	const hook = `printf '#!/bin/sh\nexec "$CANARY"\n' `
	return []Way{
		{Name: "git hook", Try: hook + `> .git/hooks/pre-commit; chmod 755 .git/hooks/pre-commit`, Later: commit, Does: ran},
		{Name: "git hook that is there", Try: `echo '"$CANARY"' >> .git/hooks/post-commit`, Later: commit, Does: ran},
		{Name: "git hook by its mode", Try: `chmod 755 .git/hooks/post-checkout`, Later: `git checkout -q -b later`, Does: ran},
		{Name: "git hook by a link", Try: hook + `> hook; chmod 755 hook; ln -sf "$PWD/hook" .git/hooks/pre-commit`, Later: commit, Does: ran},
		{Name: "git hook by a hard link", Try: `ln .git/hooks/post-commit here && echo '"$CANARY"' >> here`, Later: commit, Does: ran},
		{Name: "git hooks by a directory in their place", Try: `mv .git/hooks .git/was; mkdir .git/hooks;` + hook + `> .git/hooks/pre-commit; chmod 755 .git/hooks/pre-commit`, Later: commit, Does: ran},
		{Name: "git hooks by a copy of .git", Try: `mv .git was && cp -r was .git;` + hook + `> .git/hooks/pre-commit; chmod 755 .git/hooks/pre-commit`, Later: commit, Does: ran},
		{Name: "git hooks by a link to .git", Try: `mv .git was && cp -r was copy && ln -s copy .git;` + hook + `> copy/hooks/pre-commit; chmod 755 copy/hooks/pre-commit`, Later: commit, Does: ran, Partial: replacedGit},
		{Name: "git hooks by a file .git", Try: `cp -r .git copy; mv .git was && echo "gitdir: $PWD/copy" > .git;` + hook + `> copy/hooks/pre-commit; chmod 755 copy/hooks/pre-commit`, Later: commit, Does: ran, Partial: replacedGit},
		{Name: "git hooks by rename exchange", Try: `cp -r .git copy;` + hook + `> copy/hooks/pre-commit; chmod 755 copy/hooks/pre-commit; mv --exchange copy .git || { mv .git was && mv copy .git; }`, Later: commit, Does: ran},
		{Name: "core.hooksPath", Try: `mkdir h;` + hook + `> h/pre-commit; chmod 755 h/pre-commit; git config core.hooksPath h`, Later: commit, Does: ran},
		{Name: "core.fsmonitor", Try: `git config core.fsmonitor "$CANARY"`, Later: status, Does: ran},
		{Name: "core.fsmonitor by a hand-written file", Try: `printf '[core]\n\tfsmonitor = %s\n' "$CANARY" >> .git/config`, Later: status, Does: ran},
		{Name: "settings by a new file renamed", Try: `cp .git/config c; printf '[core]\n\tfsmonitor = %s\n' "$CANARY" >> c; mv c .git/config`, Later: status, Does: ran},
		{Name: "settings by a hard link", Try: `ln .git/config c && printf '[core]\n\tfsmonitor = %s\n' "$CANARY" >> c`, Later: status, Does: ran},
		{Name: "config.worktree", Try: `git config extensions.worktreeConfig true; printf '[core]\n\tfsmonitor = %s\n' "$CANARY" > .git/config.worktree`, Later: status, Does: ran},
		{Name: "commondir", Try: `cp -r .git common; git config -f common/config core.fsmonitor "$CANARY"; echo "$PWD/common" > .git/commondir`, Later: status, Does: ran},
		{Name: "filter by attributes", Try: `git config filter.x.clean "$CANARY; cat"; echo '* filter=x' > .git/info/attributes; touch README`, Later: `echo x >> README; git add README`, Does: ran},
		{Name: "new repository", Try: `git init -q fresh; git -C fresh config core.fsmonitor "$CANARY"`, Later: `cd fresh && ` + status, Does: ran},
		{Name: "new repository by a file .git", Try: `git init -q --bare deep/er; git -C deep/er config core.fsmonitor "$CANARY"; git -C deep/er config core.bare false; mkdir fresh; echo "gitdir: ../deep/er" > fresh/.git`, Later: `cd fresh && ` + status, Does: ran},
		{Name: "new bare repository", Try: `git init -q --bare fresh; git -C fresh config core.bare false; git -C fresh config core.worktree "$PWD/fresh"; git -C fresh config core.fsmonitor "$CANARY"`, Later: `cd fresh && ` + status, Does: ran},
		{Name: "nested repository's hook", Try: hook + `> lib/nested/.git/hooks/pre-commit; chmod 755 lib/nested/.git/hooks/pre-commit`, Later: `cd lib/nested && ` + commit, Does: ran},
		{Name: "nested repository's settings", Try: `git -C lib/nested config core.fsmonitor "$CANARY"`, Later: `cd lib/nested && ` + status, Does: ran},
		{Name: "nested repository by its directory's copy", Try: `mv lib/nested was; cp -r was lib/nested; git -C lib/nested config core.fsmonitor "$CANARY"`, Later: `cd lib/nested && ` + status, Does: ran, Partial: replacedGit},
		{Name: "nested repository by its parent's copy", Try: `mv lib was; cp -r was lib; git -C lib/nested config core.fsmonitor "$CANARY"`, Later: `cd lib/nested && ` + status, Does: ran, Partial: replacedGit},
		{Name: "submodule's hook", Try: hook + `> .git/modules/sub/hooks/pre-commit; chmod 755 .git/modules/sub/hooks/pre-commit`, Later: `cd sub && ` + commit, Does: ran},
		{Name: "submodule's settings", Try: `git -C sub config core.fsmonitor "$CANARY"`, Later: status, Does: ran},
		{Name: "submodule's file .git", Try: `cp -r .git/modules/sub moved; git config -f moved/config core.fsmonitor "$CANARY"; git config -f moved/config core.worktree ../sub; echo "gitdir: ../moved" > sub/.git`, Later: `cd sub && ` + status, Does: ran},
		{Name: "worktree's settings", Try: `printf '[core]\n\tfsmonitor = %s\n' "$CANARY" > .git/worktrees/tree/config.worktree; git config extensions.worktreeConfig true`, Later: `cd tree && ` + status, Does: ran},
		{Name: "worktree's commondir", Try: `cp -r .git common; git config -f common/config core.fsmonitor "$CANARY"; echo "$PWD/common" > .git/worktrees/tree/commondir`, Later: `cd tree && ` + status, Does: ran},
		{Name: "worktree's file .git", Try: `cp -r .git common; git config -f common/config core.fsmonitor "$CANARY"; git config -f common/config core.worktree "$PWD/tree"; echo "gitdir: $PWD/common" > tree/.git`, Later: `cd tree && ` + status, Does: ran},
	}
}
