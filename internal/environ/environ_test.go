package environ

import (
	"slices"
	"testing"
)

func TestSecret(t *testing.T) {
	tests := []struct {
		name, value string
		want        bool
	}{
		{"ANTHROPIC_API_KEY", "x", true},
		{"ANTHROPIC_AUTH_TOKEN", "x", true},
		{"ANTHROPIC_CUSTOM_HEADERS", "x", true},
		{"CLAUDE_CODE_MESSAGING_SOCKET", "/run/user/1000/1.sock", true},
		{"CLAUDE_CODE_MESSAGING_TOKEN", "x", true},
		{"CLAUDE_CODE_OAUTH_TOKEN", "x", true},
		{"AWS_ACCESS_KEY_ID", "x", true},
		{"AWS_SECRET_ACCESS_KEY", "x", true},
		{"GOOGLE_APPLICATION_CREDENTIALS", "/k.json", true},
		{"OTEL_EXPORTER_OTLP_HEADERS", "x", true},
		{"PGPASSWORD", "x", true},
		{"MYSQL_PWD", "x", true},
		{"SSHPASS", "x", true},
		{"GITHUB_PAT", "x", true},
		{"SENTRY_DSN", "x", true},
		{"DOCKER_AUTH_CONFIG", "{}", true},
		{"AZURE_STORAGE_CONNECTION_STRING", "x", true},
		{"npm_config__auth", "x", true},
		{"npm_config_//registry.example/:_authToken", "x", true},
		{"deploy_key", "x", true},

		{"DATABASE_URL", "postgres://app:hunter2@db/app", true},
		{"MIRRORS", "https://a.example,https://u:p@b.example", true},
		{"HARMLESS", "sk-ant-0123", true},
		{"HARMLESS", "-----BEGIN OPENSSH PRIVATE KEY-----", true},
		{"HOMEPAGE", "https://example.com/@user:name", false},
		{"REMOTE", "ssh://git@example.com:22/repo", false},

		{"PATH", "/usr/bin", false},
		{"HOME", "/home/dev", false},
		{"PWD", "/home/dev/demo", false},
		{"OLDPWD", "/", false},
		{"GOPATH", "/home/dev/go", false},
		{"GOPRIVATE", "example.com", false},
		{"GOPROXY", "https://user:password@proxy.example", false},
		{"https_proxy", "http://user:password@proxy.example", false},
		{"GEMMA_ENDPOINT", "http://user:password@gpu.example:11434", false},
		{"SSH_AUTH_SOCK", "/tmp/agent", false},
		{"GIT_ASKPASS", "/usr/bin/ask", false},
		{"MAX_THINKING_TOKENS", "1000", false},
		{"CLAUDE_CODE_MAX_OUTPUT_TOKENS", "1000", false},
		{"TOKENIZERS_PARALLELISM", "false", false},
		{"KEYTIMEOUT", "1", false},
		{"CLAUDE_PROJECT_DIR", "/home/dev/demo", false},
		{"TIDEPOOL_LOG_LEVEL", "debug", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got := Secret(tt.name, tt.value); got != tt.want {
			t.Errorf("Secret(%q, %q) = %v, want %v", tt.name, tt.value, got, tt.want)
		}
	}
}

func TestScrub(t *testing.T) {
	env := []string{"PATH=/bin", "API_KEY=x", "EMPTY=", "NO_EQUALS_SIGN", "A_SECRET", "EQ=a=b"}
	before := slices.Clone(env)
	want := []string{"PATH=/bin", "EMPTY=", "NO_EQUALS_SIGN", "EQ=a=b"}
	got := Scrub(env)
	if !slices.Equal(got, want) {
		t.Errorf("Scrub = %q, want %q", got, want)
	}
	if !slices.Equal(env, before) {
		t.Errorf("Scrub changed its argument to %q", env)
	}
	if again := Scrub(got); !slices.Equal(again, got) {
		t.Errorf("scrubbing twice gives %q", again)
	}
}

func BenchmarkScrub(b *testing.B) {
	env := make([]string, 0, 40)
	for range 8 {
		env = append(env, "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/dev", "GITHUB_TOKEN=x", "GOPROXY=https://proxy.golang.org", "LANG=C.UTF-8")
	}
	for b.Loop() {
		Scrub(env)
	}
}
