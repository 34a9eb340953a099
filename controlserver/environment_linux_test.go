package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/lsp/lsptest"
	"tidepool/protocol"
)

// planted are variables that hold secrets, under names that say so and under names that do not.
func planted() []string {
	names := strings.Fields(`ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_MESSAGING_TOKEN CLAUDE_CODE_MESSAGING_SOCKET OPENAI_API_KEY
		AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN GITHUB_TOKEN GH_TOKEN GITLAB_TOKEN NPM_TOKEN CARGO_REGISTRY_TOKEN HF_TOKEN
		SLACK_WEBHOOK_URL SLACK_TOKEN DISCORD_WEBHOOK PRIVATEKEY SSHKEY SIGNINGKEY KUBECONFIG_DATA DOCKER_AUTH_CONFIG DATABASE_URL REDIS_URL
		PGPASSWORD MYSQL_PWD SENTRY_DSN STRIPE VAULT SEED MNEMONIC PIN SESSION COOKIE CERT NETRC P12 LC_MY_TOKEN TIDEPOOL_API_KEY HARMLESS`)
	var env []string
	for i, name := range names {
		env = append(env, fmt.Sprintf("%s=PLANTED-%d-hunter2", name, i))
	}
	return append(env,
		"GOFLAGS=ghu_PLANTED", "CFLAGS=xapp-PLANTED", "CXXFLAGS=npm_PLANTED", "LDFLAGS=pypi-PLANTED", "RUSTFLAGS=hf_PLANTED", "NODE_ENV=sk_live_PLANTED",
		"GOPROXY=https://PLANTED:PLANTED@127.0.0.1:9", "HTTPS_PROXY=http://PLANTED:PLANTED@127.0.0.1:9", "all_proxy=PLANTED:PLANTED@127.0.0.1:9",
		"GEMMA_ENDPOINT=http://PLANTED:PLANTED@127.0.0.1:9",
	)
}

// Nobody who may look at the daemon, or at what it starts, sees the secrets of the shell that started it.
func TestServeShedsSecrets(t *testing.T) {
	env := planted()
	dir := goModule(t)
	daemontest.WriteConfig(t, dir, fmt.Sprintf(`{"languages": {"go": {"command": [%q]}}}`, lsptest.Program(t, "gopls")))
	d := startDaemon(t, dir, append(env, "GOWORK=off"), "--log-level", "debug")
	pid := d.PID()
	if got := d.Status(t).PID; got != pid {
		t.Errorf("pid %d was started and %d serves", pid, got)
	}
	servers := daemontest.As[*protocol.StatusResponse](t, d.Ask(t, &protocol.StatusRequest{WaitReady: true})).LanguageServers
	if len(servers) != 1 || servers[0].PID == 0 {
		t.Fatalf("language servers: %+v", servers)
	}
	for _, process := range []int{pid, servers[0].PID} {
		data := environmentOf(t, process)
		if !slices.Contains(strings.Split(data, "\x00"), "GOWORK=off") || strings.Contains(data, "PLANTED") {
			t.Errorf("the environment of process %d is %q", process, strings.Split(data, "\x00"))
		}
	}
	t.Logf("%d of %d planted variables were withheld", len(env), len(env))
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || !strings.HasSuffix(string(arguments), "\x00serve\x00--log-level\x00debug\x00") {
		t.Errorf("the daemon's arguments are %q (%v)", arguments, err)
	}
}

func environmentOf(t *testing.T, pid int) string {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The daemon gets the variables that environment.pass names, unless git tracks the settings.
func TestServePassesOn(t *testing.T) {
	for tracked, want := range map[bool]string{false: "GH_TOKEN=ghp_1\x00", true: ""} {
		dir := daemontest.Project(t)
		daemontest.WriteConfig(t, dir, `{"environment": {"pass": ["GH_TOKEN"]}}`)
		if tracked {
			track(t, dir)
		}
		d := startDaemon(t, dir, []string{"GH_TOKEN=ghp_1", "OTHER_TOKEN=ghp_2"})
		data := environmentOf(t, d.PID())
		if strings.Contains(data, "GH_TOKEN=ghp_1\x00") != (want != "") || strings.Contains(data, "OTHER_TOKEN") {
			t.Errorf("tracked %t: the environment is %q", tracked, strings.Split(data, "\x00"))
		}
	}
}

// track has git track everything in dir.
func track(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "."}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
}
