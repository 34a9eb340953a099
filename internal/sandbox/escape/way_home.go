//go:build linux

package escape

import (
	"maps"
	"slices"
	"strings"
)

// homeWays are ways to have something run later in the user's home.
func homeWays() []Way {
	return []Way{
		{Name: "append to profiles", Try: appendEach(inHome(profiles())), Does: changes("home/.bashrc"), Also: changesEach("home/", profiles())},
		{Name: "append to programs", Try: appendEach(inHome(programs())), Does: changes("home/.local/bin/git"), Also: changesEach("home/", programs())},
		{Name: "append to caches", Try: appendEach(inHome(caches())), Does: changes("home/.npm/_cacache/index"), Also: changesEach("home/", caches())},
		{Name: "write a new program of the home", Try: `cp /bin/true "$HOME/.local/bin/ls"`, Does: changes("home/.local/bin/ls")},
		{Name: "settings of git by git", Try: `git config --global core.fsmonitor "$CANARY"`, Does: changes("home/.gitconfig")},
		{Name: "replace the home", Try: `mv "$HOME" "$HOME.was"; mkdir "$HOME"; echo x > "$HOME/.bashrc"`, Does: changes("home/.bashrc")},
		{Name: "scheduled job", Try: `echo '* * * * * true' > "$SPOOL/crontab"`, Does: changes("spool/crontab")},
	}
}

// profiles are files that the user's programs read and obey.
func profiles() []string {
	return []string{
		".bashrc", ".profile", ".zshrc", ".config/fish/config.fish", ".ssh/authorized_keys", ".ssh/config", ".gitconfig", ".config/git/config",
		".cargo/config.toml", ".nvm/alias/default", ".npmrc", ".vimrc", ".config/systemd/user/later.service", ".config/autostart/later.desktop",
		".claude/settings.json", ".claude.json", ".config/tidepool/policy/team.json", ".local/state/tidepool/trust",
	}
}

// programs are files that the user's shell runs, or that these load.
func programs() []string {
	return []string{".local/bin/git", "go/bin/gopls", ".cargo/bin/cargo", ".pyenv/shims/python", ".local/lib/python3/site-packages/site.pth"}
}

// caches are files that builds outside believe.
func caches() []string {
	return []string{
		".cache/go-build/ab/abcd-d", ".cache/pip/http/a", ".npm/_cacache/index", "go/pkg/mod/example.com/m@v1.0.0/m.go", ".cargo/registry/src/m/lib.rs",
	}
}

func homeFiles() []string { return slices.Concat(profiles(), programs(), caches()) }

// inHome names files of the home as a shell line does.
func inHome(paths []string) []string {
	var all []string
	for _, path := range paths {
		all = append(all, "$HOME/"+path)
	}
	return all
}

// credentialWays are ways to read what lets its reader act as the user. A row prints a file, and then copies it into the project,
// where a later command could send it.
func credentialWays() []Way {
	var ways []Way
	all := credentialFiles()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		paths := all[name]
		way := Way{Name: "read " + name, Try: `i=0; for f in "` + strings.Join(inHome(paths), `" "`) + `"; do cat "$f"; cp "$f" taken$i; ln "$f" link$i; i=$((i+1)); done`, Does: reads(paths[0])}
		for _, path := range paths {
			way.Also = append(way.Also, reads(path))
		}
		ways = append(ways, way)
	}
	return append(ways,
		Way{Name: "read the neighbour's secrets", Try: `cat "$OTHER/.env"`, Does: reads("src/other/.env")},
		Way{Name: "read passwords of the machine", Try: printsSomething("/etc/shadow"), Does: passes, Control: Root},
		Way{Name: "read rules of sudo", Try: printsSomething("/etc/sudoers"), Does: passes, Control: Root},
		Way{Name: "environment of the daemon", Try: `env; cat /proc/self/environ /proc/$PPID/environ /proc/$INIT/environ`, Does: reads("environment")},
		Way{Name: "environment of a process outside", Try: `cat /proc/$VICTIM/environ; cat /proc/[0-9]*/environ`, Does: reads("victim's environment")},
		Way{Name: "walk the home", Try: `find "$HOME" -type f -name "[.a-z]*" -size -64k -exec cat {} + 2>/dev/null`, Does: reads(".ssh/id_ed25519")},
		Way{Name: "read a credential through a link", Try: `ln -s "$HOME/.ssh" keys; cat keys/id_ed25519`, Does: reads(".ssh/id_ed25519")},
	)
}

// printsSomething is a shell line that says whether a file has contents, not what they are.
func printsSomething(path string) string {
	return `cat ` + path + ` >/dev/null && grep -q . ` + path + ` && echo through: ` + path + ` || { [ -e ` + path + ` ] && echo stopped: empty || echo stopped: no such file or directory; }`
}

// credentialFiles are files of the home that hold secrets, by what they open.
func credentialFiles() map[string][]string {
	return map[string][]string{
		"keys":                  {".ssh/id_ed25519", ".gnupg/private-keys-v1.d/a.key", ".password-store/a.gpg", ".local/share/keyrings/login.keyring"},
		"credentials of clouds": {".aws/credentials", ".config/gcloud/application_default_credentials.json", ".azure/msal_token_cache.json", ".kube/config", ".docker/config.json", ".terraform.d/credentials.tfrc.json", ".vault-token", ".config/rclone/rclone.conf"},
		"credentials of forges": {".config/gh/hosts.yml", ".git-credentials", ".config/git/credentials", ".netrc"},
		"credentials of package registries": {
			".npmrc", ".pypirc", ".config/pip/pip.conf", ".cargo/credentials.toml", ".m2/settings.xml", ".gradle/gradle.properties", ".gem/credentials",
			".config/composer/auth.json", ".cache/huggingface/token",
		},
		"credentials of Claude Code": {".claude/.credentials.json", ".claude.json"},
		"sessions and histories":     {".bash_history", ".mozilla/firefox/a/logins.json", ".pgpass"},
	}
}

func credentials() []string {
	return slices.Concat(slices.Collect(maps.Values(credentialFiles()))...)
}
