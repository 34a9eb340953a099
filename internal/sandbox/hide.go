package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/sandbox/confine"
)

// hiddenPlaces returns what is hidden outside of the home directory: other people's homes, running programs' sockets, other disks,
// what only root reads.
func hiddenPlaces() []string {
	return []string{
		"/home", "/root", "/run", "/var/run", "/var/tmp", "/mnt", "/media", "/lost+found", "/boot", "/srv",
		"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/security/opasswd",
		"/etc/ssl/private", "/etc/pki/tls/private", "/etc/krb5.keytab", "/etc/docker", "/etc/kubernetes", "/etc/rancher", "/etc/letsencrypt", "/etc/wireguard",
		"/etc/NetworkManager/system-connections", "/etc/wpa_supplicant", "/etc/ppp", "/etc/openvpn", "/etc/mysql/debian.cnf", "/etc/exim4/passwd.client",
		"/etc/environment.d", "/etc/netplan", "/etc/crypttab", "/etc/credstore", "/etc/credstore.encrypted",
		"/etc/ssh/ssh_host_rsa_key", "/etc/ssh/ssh_host_ecdsa_key", "/etc/ssh/ssh_host_ed25519_key", "/etc/ssh/ssh_host_dsa_key",
		"/var/spool", "/var/mail", "/var/backups", "/var/log", "/var/lib/docker", "/var/lib/containerd", "/var/lib/containers", "/var/lib/kubelet", "/var/lib/rancher",
		"/var/lib/postgresql", "/var/lib/mysql", "/var/lib/systemd", "/var/lib/sss", "/var/lib/NetworkManager", "/var/lib/cloud", "/var/lib/private", "/var/snap",
		"/sys/kernel/debug", "/sys/kernel/tracing", "/sys/firmware",
	}
}

// credentials returns what is hidden in the home directory even where the directory around it is shown: keys, tokens, sessions,
// histories.
func credentials() []string {
	return strings.Fields(`
		.ssh .gnupg .pki .aws .azure .kube .docker .gsutil .boto .config/gcloud .config/doctl .config/hcloud .config/scw .config/linode-cli .config/rclone .oci
		.netrc .authinfo .authinfo.gpg .git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli .config/tea .config/op .config/1Password
		.npmrc .yarnrc .yarnrc.yml .config/yarn .pypirc .config/pypoetry .config/pip .pip .condarc .gem/credentials .bundle/config .m2/settings.xml .m2/settings-security.xml
		.gradle/gradle.properties .gradle/init.d .sbt/.credentials .ivy2/.credentials .nuget/NuGet .cargo/credentials .cargo/credentials.toml .composer/auth.json .config/composer .hex
		.terraform.d .terraformrc .vault-token .config/sops .config/age .password-store .local/share/keyrings .local/share/kwalletd .config/keepassxc .electrum .bitcoin .ethereum
		.mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/Slack .config/discord .config/Signal .config/Code .config/Cursor
		.claude .claude.json .codex .gemini .cursor .config/opencode .local/share/opencode .config/github-copilot .config/anthropic .config/openai .huggingface .cache/huggingface/token .config/huggingface .config/tidepool .local/state/tidepool
		.pgpass .my.cnf .mylogin.cnf .dbshell .psql_history .mysql_history .rediscli_history .sqlite_history .python_history .node_repl_history .bash_history .zsh_history .local/share/fish
		.config/wrangler .wrangler .config/netlify .vercel .config/heroku .fly .railway .supabase .config/stripe .config/configstore .s3cfg .cdsapirc .kaggle .config/wandb .config/sentry-cli .sentryclirc
		.Xauthority .ICEauthority .cache/mesa_shader_cache .local/share/Trash .config/containers .config/systemd .local/share/containers .cache/keyring .cache/tidepool .config/sublime-text .jupyter .ipython/profile_default/history.sqlite
		.config/go/env .config/fish .config/nushell .env .envrc .profile.local .secrets secrets .config/secrets .config/mpop .config/msmtp .msmtprc .mailrc .fetchmailrc .muttrc .config/neomutt`)
}

// toolchains returns what is shown of the home directory.
func toolchains() []string {
	return strings.Fields(`
		go sdk .go .goenv .gvm .cargo .rustup .nvm .fnm .volta .n .pnpm .local/share/pnpm .bun .deno .pyenv .rye .local/share/uv .conda miniconda3 anaconda3 .rbenv .rvm .gem .asdf .local/share/mise
		.sdkman .jenv .m2 .gradle/wrapper .ghcup .cabal .stack .opam .nimble .swiftly .dotnet .nuget .composer .mix .hex-cache .local/bin .local/lib .local/opt bin .cache .gitconfig .config/git/config .config/git/ignore .config/git/attributes
		.nix-profile .local/state/nix .linuxbrew .npm-global .node_modules .yarn .luarocks .juliaup .julia .tfenv .local/share/virtualenvs`)
}

// hide adds what cannot be read.
func (s *Sandbox) hide(v view) {
	hide := func(path string) {
		// A link leads to something that is hidden in its own right or shown.
		if path, err := existing(path); err == nil && path != "/" && path != s.project {
			v.add(confine.Hide, path, "")
		}
	}
	for _, path := range append(hiddenPlaces(), s.options.Hide...) {
		hide(path)
	}
	if s.home == "" || s.home == "/" {
		return
	}
	listed := s.options.Home == HomeListed && !within(s.home, s.project)
	shown := toolchains()
	for _, name := range credentials() {
		if !listed || slices.ContainsFunc(shown, func(toolchain string) bool { return within(name, toolchain) }) { // else it is hidden with the rest
			hide(filepath.Join(s.home, name))
		}
	}
	if listed {
		hide(s.home)
		return
	}
	delete(v, s.home)
	v.add(confine.Show, s.home, s.home)
}

// show adds what can be read although it lies in a hidden directory.
func (s *Sandbox) show(v view, env []string) {
	show := func(path string) {
		path, err := existing(path)
		if err != nil || path == "/" || s.home != "" && within(s.home, path) {
			return
		}
		v.add(confine.Show, path, path)
	}
	if s.home != "" && s.options.Home == HomeListed {
		for _, name := range toolchains() {
			show(filepath.Join(s.home, name))
		}
	}
	for _, entry := range env {
		switch name, value, _ := strings.Cut(entry, "="); name {
		case "PATH", "GOROOT", "GOPATH", "GOMODCACHE", "JAVA_HOME", "CARGO_HOME", "RUSTUP_HOME", "NVM_DIR", "PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "NODE_PATH", "PYTHONPATH":
			for _, dir := range filepath.SplitList(value) {
				if filepath.IsAbs(dir) {
					show(dir)
				}
			}
		}
	}
	show(s.repository)
	for _, path := range s.options.Read { // it counts more than what is hidden unasked
		if path, err := resolve(path); err == nil && !slices.Contains(s.options.Hide, path) {
			delete(v, path)
		}
		show(path)
	}
	if info, err := os.Stat("/run/systemd/resolve"); err == nil && info.IsDir() { // resolv.conf leads there
		show("/run/systemd/resolve/stub-resolv.conf")
		show("/run/systemd/resolve/resolv.conf")
	}
}
