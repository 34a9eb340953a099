package environ

import (
	"slices"
	"strings"
	"testing"
)

// Each entry of a shell is kept, cleaned of credentials, or left out.
func TestHarmless(t *testing.T) {
	for entry, want := range map[string]string{ // "": left out
		"PATH=/usr/local/bin:/usr/bin":                       "PATH=/usr/local/bin:/usr/bin",
		"PATH=/home/a@b:c/bin:/usr/bin":                      "PATH=/home/a@b:c/bin:/usr/bin",
		"HOME=/home/dev":                                     "HOME=/home/dev",
		"PWD=/home/dev":                                      "PWD=/home/dev",
		"LC_ALL=C.UTF-8":                                     "LC_ALL=C.UTF-8",
		"XDG_STATE_HOME=/home/dev/.local/state":              "XDG_STATE_HOME=/home/dev/.local/state",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1/bus": "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1/bus",
		"SSH_AUTH_SOCK=/tmp/agent":                           "SSH_AUTH_SOCK=/tmp/agent",
		"TIDEPOOL_LOG_LEVEL=debug":                           "TIDEPOOL_LOG_LEVEL=debug",
		"CLAUDE_PROJECT_DIR=/home/dev/demo":                  "CLAUDE_PROJECT_DIR=/home/dev/demo",
		"GOPRIVATE=example.com":                              "GOPRIVATE=example.com",
		"GOFLAGS=-mod=mod":                                   "GOFLAGS=-mod=mod",
		"EMPTY=":                                             "",
		"LANG=":                                              "LANG=",
		"GOFLAGS":                                            "",
		"CLAUDECODE=1":                                       "",
		"CLAUDE_CODE_MESSAGING_TOKEN=x":                      "",
		"EDITOR=vi":                                          "",
		"LC_GITHUB_TOKEN=x":                                  "",
		"XDG_SESSION_COOKIE=x":                               "",
		"TIDEPOOL_API_KEY=x":                                 "",

		"GOPROXY=https://proxy.golang.org,direct":                                "GOPROXY=https://proxy.golang.org,direct",
		"GOPROXY=https://u:p@proxy.example/go|https://b,direct":                  "GOPROXY=https://proxy.example/go|https://b,direct",
		"GOPROXY=https://ghp_0123@proxy.example":                                 "GOPROXY=https://proxy.example",
		"GOPROXY=https://proxy.example?token=x,direct":                           "GOPROXY=https://proxy.example,direct",
		"HTTPS_PROXY=http://proxy.example:3128":                                  "HTTPS_PROXY=http://proxy.example:3128",
		"https_proxy=http://user:p%40ss@[::1]:3128":                              "https_proxy=http://[::1]:3128",
		"https_proxy=http://[::1]:3128":                                          "https_proxy=http://[::1]:3128",
		"https_proxy=http://user:pass/word@proxy.example":                        "",
		"all_proxy=user:password@proxy.example:3128":                             "all_proxy=proxy.example:3128",
		"no_proxy=localhost,127.0.0.1":                                           "no_proxy=localhost,127.0.0.1",
		"npm_config_registry=https://u:p@npm.example/":                           "npm_config_registry=https://npm.example/",
		"GEMMA_ENDPOINT=http://user:password@gpu.example:11434":                  "GEMMA_ENDPOINT=http://gpu.example:11434",
		"TIDEPOOL_RECALL_TEAM=postgres://maria@db.example/x?sslmode=verify-full": "TIDEPOOL_RECALL_TEAM=postgres://maria@db.example/x?sslmode=verify-full",
		"TIDEPOOL_RECALL_TEAM=postgres://maria:hunter2@db.example/x":             "",
		"TIDEPOOL_RECALL_TEAM=postgres://maria:hun/ter2@db.example/x":            "",
		"TIDEPOOL_RECALL_TEAM=postgres://maria:1/2@db.example/x":                 "",
		"TIDEPOOL_RECALL_TEAM=postgres:///x?host=/run/postgresql":                "TIDEPOOL_RECALL_TEAM=postgres:///x?host=/run/postgresql",
		"TIDEPOOL_RECALL_TEAM=postgres://maria@[::1]:5432/x":                     "TIDEPOOL_RECALL_TEAM=postgres://maria@[::1]:5432/x",
		"TIDEPOOL_RECALL_TEAM=host=db password=hunter2":                          "",
		"TIDEPOOL_RECALL_TEAM=postgres://db.example/x?sslPassword=hunter2":       "",
		"GONOPROXY=ssh://git@example.com:22/repo":                                "GONOPROXY=ssh://git@example.com:22/repo",
		"NODE_OPTIONS=sk-ant-0123":                                               "",
		"CFLAGS=-----BEGIN OPENSSH PRIVATE KEY-----":                             "",
		"CFLAGS=-DKEY=\"-----BEGIN PRIVATE KEY-----\"":                           "",
	} {
		got := Harmless([]string{entry}, nil)
		if strings.Join(got, "|") != want {
			t.Errorf("Harmless(%q) = %q, want %q", entry, got, want)
		}
		if withheld := len(Withheld([]string{entry}, nil)) == 1; withheld != (want == "") {
			t.Errorf("%q is withheld: %t", entry, withheld)
		}
	}
}

// A name says nothing: of variables that nobody has listed none gets through, however harmless it looks.
func TestPlantedSecrets(t *testing.T) {
	names := strings.Fields(`ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN OPENAI_API_KEY AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
		GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN NPM_TOKEN PYPI_TOKEN CARGO_REGISTRY_TOKEN HF_TOKEN SLACK_WEBHOOK_URL SLACK_TOKEN DISCORD_WEBHOOK
		PRIVATEKEY SSHKEY DEPLOYKEY SIGNINGKEY KUBECONFIG_DATA KUBE_CA DOCKER_AUTH_CONFIG DATABASE_URL REDIS_URL MONGO_URI PGPASSWORD MYSQL_PWD
		SENTRY_DSN STRIPE TWILIO_SID SENDGRID MAILGUN CF_API HEROKU FASTLY VAULT_ADDR_WITH_KEY LICENSE ENCRYPTION_SALT SEED MNEMONIC PIN OTP
		SESSION COOKIE CERT P12 PFX NETRC GOOGLE_CREDENTIALS_JSON AZURE_CLIENT GPG_DATA AGE_IDENTITY SOPS`)
	for _, name := range names {
		if got := Harmless([]string{name + "=hunter2hunter2"}, nil); len(got) != 0 {
			t.Errorf("%s gets through", name)
		}
	}
	t.Logf("%d planted variables are withheld", len(names))
}

// Tokens of well-known services are left out under harmless names, too.
func TestTokens(t *testing.T) {
	for _, value := range []string{
		"ghu_x", "ghr_x", "xapp-1-x", "npm_x", "pypi-x", "hf_x", "sk_live_x", "sk-ant-x", "ghp_x", "github_pat_x", "glpat-x", "AKIAX", "eyJhbGciOi",
		"Bearer 0123456789", " 'ghs_x'", "https://hooks.slack.com/services/T/B/X",
	} {
		if got := Harmless([]string{"GOFLAGS=" + value}, nil); len(got) != 0 || !Token(value) {
			t.Errorf("%q gets through: %q", value, got)
		}
	}
	for _, value := range []string{"", "skip", "key", "npm", "Basic", "-mod=mod", "/home/sk-ant/go"} {
		if Token(value) {
			t.Errorf("%q is taken for a token", value)
		}
	}
}

func TestHarmlessPasses(t *testing.T) {
	env := []string{"PATH=/bin", "GH_TOKEN=ghp_x", "GOPROXY=https://u:p@proxy.example", "OTHER=1"}
	before := slices.Clone(env)
	pass := []string{"GH_TOKEN", "GOPROXY"}
	got := Harmless(env, pass)
	if want := env[:3]; !slices.Equal(got, want) {
		t.Errorf("Harmless = %q, want %q", got, want)
	}
	if again := Harmless(got, pass); !slices.Equal(again, got) || !slices.Equal(env, before) {
		t.Errorf("a second time gives %q; the argument is %q", again, env)
	}
	if got := Withheld(env, pass); !slices.Equal(got, []string{"OTHER"}) {
		t.Errorf("Withheld = %q", got)
	}
}

func TestSecret(t *testing.T) {
	for entry, want := range map[string]bool{
		"ANTHROPIC_API_KEY=x": true, "CLAUDE_CODE_MESSAGING_SOCKET=/run/1.sock": true, "OTEL_EXPORTER_OTLP_HEADERS=x": true, "MYSQL_PWD=x": true,
		"PRIVATEKEY=x": true, "SLACK_WEBHOOK_URL=x": true, "KUBECONFIG_DATA=x": true, "deploy_key=x": true, "npm_config__auth=x": true,
		"DATABASE_URL=postgres://app:hunter2@db/app": true, "MIRRORS=https://a.example,https://u:p@b.example": true, "HARMLESS=sk-ant-0123": true,
		"HOMEPAGE=https://example.com/@user:name": false, "REMOTE=ssh://git@example.com:22/repo": false, "PATH=/usr/bin": false, "PWD=/": false,
		"OLDPWD=/": false, "SSH_AUTH_SOCK=/tmp/agent": false, "MAX_THINKING_TOKENS=1000": false, "KEYTIMEOUT=1": false, "=": false,
	} {
		name, value, _ := strings.Cut(entry, "=")
		if got := Secret(name, value); got != want {
			t.Errorf("Secret(%q, %q) = %v", name, value, got)
		}
	}
}
