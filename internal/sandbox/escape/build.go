//go:build linux

package escape

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// build makes the world's files: plain ones, programs, credentials, repositories.
func (w *world) build(ctx context.Context) error {
	for _, step := range []func(context.Context) error{w.buildFiles, w.buildCredentials, w.buildRepositories, w.buildSettings} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// write makes a file below the world.
func (w *world) write(path, content string, mode os.FileMode) error {
	path = filepath.Join(w.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		return err
	}
	return os.Chmod(path, mode) // also bits that the mask of new files, or a write, takes away
}

func (w *world) buildFiles(context.Context) error {
	canary := fmt.Sprintf("#!/bin/sh\necho ran >> '%s/ran'\n", w.outside())
	files := map[string]string{
		"outside/notes": "notes\n", "outside/canary": canary, "outside/deep/file": "deep\n", "outside/X11-unix/file": "x\n", "spool/crontab": "\n",
		"home/src/other/Makefile": "all:\n", "home/src/project/serving/file": "x\n", "home/.local/share/systemd/file": "x\n",
		"home/.gitconfig": "[user]\n\tname = Somebody\n\temail = somebody@example.com\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n",
	}
	for path, content := range files {
		if err := w.write(path, content, 0o755); err != nil {
			return err
		}
	}
	for _, path := range homeFiles() {
		if path == ".gitconfig" {
			continue
		}
		if err := w.write("home/"+path, "true\n", 0o755); err != nil {
			return err
		}
	}
	return w.write("outside/setuid", "#!/bin/sh\n", 0o755|os.ModeSetuid)
}

func (w *world) buildCredentials(context.Context) error {
	for _, path := range append(credentials(), "src/other/.env") {
		if err := w.write("home/"+path, "token = "+w.hide(path)+"\n", 0o600); err != nil {
			return err
		}
	}
	return nil
}

// buildRepositories makes the project's repository with what git can have in one, and the neighbour's.
func (w *world) buildRepositories(ctx context.Context) error {
	if err := w.write("home/src/project/README", "read me\n", 0o644); err != nil {
		return err
	}
	script := `set -e
git init -q --template= "$OUT/source" && git -C "$OUT/source" commit -q --allow-empty -m first
cd "$PROJECT"
git init -q --template= .
printf 'serving\n.tidepool\nattempt\n' > .gitignore
git add . && git commit -q -m first
git init -q --template= lib/nested && git -C lib/nested commit -q --allow-empty -m first
git -c protocol.file.allow=always submodule --quiet add "$OUT/source" sub && git commit -q -m sub
git worktree add -q tree
for d in .git lib/nested/.git .git/modules/sub; do
	mkdir -p $d/hooks
	printf '#!/bin/sh\n' > $d/hooks/post-commit; chmod 755 $d/hooks/post-commit
	printf '#!/bin/sh\nexec "$CANARY"\n' > $d/hooks/post-checkout; chmod 644 $d/hooks/post-checkout
done
mkdir -p .git/info
` + w.layoutScript()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir = w.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.home(), "OUT=" + w.outside(), "PROJECT=" + w.project()}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("making repositories: %w: %s", err, out)
	}
	return nil
}

// layoutScript changes where the project's repository lies.
func (w *world) layoutScript() string {
	switch w.place {
	case Worktree:
		return `git worktree remove --force tree; cd .. && mv project main && git -C main worktree add -q ../project -b other && mkdir project/serving`
	case Linked:
		return `ln -s "$PROJECT" ../link`
	case GitLink:
		return `git worktree remove --force tree; git submodule --quiet deinit -f sub; mv .git ../gitdir && ln -s ../gitdir .git`
	}
	return ""
}

func (w *world) buildSettings(context.Context) error {
	for _, path := range settingFiles() {
		if err := w.write("home/src/project/"+path, "{}\n", 0o644); err != nil {
			return err
		}
	}
	for path, content := range map[string]string{
		".tidepool/scrub.key": w.hide("project/.tidepool/scrub.key"), ".tidepool/audit.jsonl": "{}\n",
	} {
		if err := w.write("home/src/project/"+path, content, 0o600); err != nil {
			return err
		}
	}
	return os.Chmod(filepath.Join(w.project(), ".tidepool"), 0o700)
}
