package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"tidepool/internal/daemontest"
	"tidepool/internal/trust"
	"tidepool/lsp/lsptest"
	"tidepool/protocol"
)

// A shop is a small project with a daemon that its user trusts, asked over HTTP.
type shop struct {
	project
	http http.Client
}

// newShop starts the daemon of a shop. The files of more archives are added to those of shop.txtar; in theirs CWD is the project and NOW is the time.
func newShop(t *testing.T, more ...string) *shop {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	s := &shop{project: project{dir: filepath.Join(dir, "shop")}}
	values := strings.NewReplacer("CWD", s.dir, "NOW", time.Now().UTC().Format(time.RFC3339))
	for _, name := range append([]string{"shop"}, more...) {
		archive, err := txtar.ParseFile("internal/e2e/testdata/" + name + ".txtar")
		must(t, err)
		for _, f := range archive.Files {
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			must(t, os.WriteFile(path, []byte(values.Replace(string(f.Data))), 0o755))
		}
	}
	must(t, os.MkdirAll(filepath.Join(s.dir, protocol.StateDir), 0o700))
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch", "bd-shop-1/prices"}, {"add", "."}, {"remote", "add", "origin", "https://github.com/acme/shop"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "begin"},
	} {
		git := exec.Command("git", args...)
		git.Dir = s.dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	path := strings.Join([]string{filepath.Join(dir, "bin"), filepath.Dir(lsptest.Program(t, "gopls")), "/usr/bin", os.Getenv("PATH")}, ":")
	s.env = append(os.Environ(), "PATH="+path, "XDG_STATE_HOME="+dir+"/state", "XDG_DATA_HOME="+dir+"/data", "XDG_CONFIG_HOME="+dir+"/config", "CLAUDE_CONFIG_DIR="+dir+"/claude", "GOWORK=off", "TIDEPOOL_READY_BUDGET=4m")
	_, err = (trust.Store{Dir: filepath.Join(dir, "state", "tidepool")}).Grant(s.dir)
	must(t, err)
	d := daemontest.Start(t, s.command(context.Background(), "controlserver", "serve"), s.dir)
	t.Cleanup(func() { must(t, d.Stop()) }) // what a killed gopls has started goes on for a moment, and writes below dir
	s.http.Transport = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return dial(daemontest.Socket(s.dir))
	}}
	t.Cleanup(s.http.CloseIdleConnections)
	return s
}

// ask sends one HTTP request to the daemon.
func (s *shop) ask(t *testing.T, method, path, accept, body string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://x"+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Accept", accept)
	response, err := s.http.Do(r)
	must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode, string(text)
}

// text calls a tool and returns what a model reads.
func (s *shop) text(t *testing.T, tool string, arguments any) string {
	t.Helper()
	data, err := json.Marshal(arguments)
	must(t, err)
	status, text := s.ask(t, "POST", "/tools/"+tool, "text/plain", string(data))
	if status != 200 {
		t.Fatalf("%s %s: %d %s", tool, data, status, text)
	}
	return text
}

// run runs a command by safe_bash.
func (s *shop) run(t *testing.T, line string) string {
	t.Helper()
	return s.text(t, "safe_bash", map[string]any{"cmd": line, "timeout": 300, "preview": 4000})
}

// guided returns a shell line that runs a program of the guide as a model would: fetched by the command's own socket.
func guided(interpreter, name, arguments string) string {
	return `curl -sS --fail-with-body --unix-socket "$TIDEPOOL_SAFE_SOCKET" -H "Authorization: Bearer $TIDEPOOL_SAFE_TOKEN" http://tools/guide/` + name +
		` > /tmp/` + name + ` && ` + interpreter + ` /tmp/` + name + ` ` + arguments
}

// Each program of the guide does what the guide says, inside safe_bash.
func TestGuidesPrograms(t *testing.T) {
	s := newShop(t)
	if got := s.run(t, guided("python3", "callers.py", "Price Tax Discount Round Print")); !strings.Contains(got, "\nshop.go: Checkout\n") || strings.Contains(got, "Preview") || !strings.Contains(got, "isolation full") {
		t.Errorf("callers.py: %s", got)
	}
	if got := s.run(t, guided("python3", "callers.py", "Price Discuont")); !strings.Contains(got, "Discuont") {
		t.Errorf("callers.py of a name that is not there: %s", got)
	}
	got := s.run(t, guided("python3", "failures.py", "./..."))
	ref := regexp.MustCompile(`1 failed; all \d+ lines: ref_content (\{"ref":"ref_[a-z2-7]{16}"\})`).FindStringSubmatch(got)
	if ref == nil || !strings.Contains(got, "exit 1 ") || !strings.Contains(got, "the tax of 100 is 18, not 19") || strings.Contains(got, "TestPrice") {
		t.Fatalf("failures.py: %s", got)
	}
	if _, whole := s.ask(t, "POST", "/tools/ref_content", "text/plain", ref[1]); !strings.Contains(whole, "--- FAIL: TestTax") || !strings.Contains(whole, "FAIL\texample.com/shop") {
		t.Errorf("all of it: %s", whole)
	}
	s.text(t, "remediation_record", map[string]any{
		"title": "undefined: Vat in the shop", "problem": "The build fails with undefined: Vat.", "root_cause": "Vat was renamed.", "solution": "Call Tax.",
	})
	got = s.run(t, `printf 'package shop\n\nvar _ = Vat(1)\n' > vat.go; `+guided("sh", "known.sh", "./...")+`; rm vat.go`)
	if !strings.Contains(got, "== ./vat.go:3:9: undefined: Vat") || !strings.Contains(got, "Call Tax") {
		t.Errorf("known.sh: %s", got)
	}
}

// TestDiscovery: a daemon and agent tools list the same tools, and a command's own socket calls none that changes something.
func TestDiscovery(t *testing.T) {
	s := newShop(t)
	listed := end(t, s.command(t.Context(), "agent", "tools"))
	if status, got := s.ask(t, "GET", "/tools", "", ""); status != 200 || got != listed.stdout {
		t.Errorf("GET /tools: %d\n%s\nagent tools: %d\n%s%s", status, got, listed.status, listed.stdout, listed.stderr)
	}
	if status, got := s.ask(t, "GET", "/tools/find_callers", "application/json", ""); status != 200 || !json.Valid([]byte(got)) {
		t.Errorf("%d %s", status, got)
	}
	if status, got := s.ask(t, "GET", "/tools/find_caller", "", ""); status != 404 || !strings.Contains(got, "did you mean find_callers?") {
		t.Errorf("%d %s", status, got)
	}
	guide, err := os.ReadFile("tools/catalogue/guide/guide.md")
	must(t, err)
	if status, got := s.ask(t, "GET", "/guide", "", ""); status != 200 || !bytes.Equal([]byte(got), guide) {
		t.Errorf("%d %s", status, got)
	}
	tries := `call() { curl -sS -w ' %{http_code}\n' --unix-socket "$TIDEPOOL_SAFE_SOCKET" -H "Authorization: Bearer $TIDEPOOL_SAFE_TOKEN" "$@"; }
for t in safe_bash safe_write safe_read memory_save memory_forget confirm_action exo_status file_pr start_ghap; do call -o /dev/null -d '{}' http://tools/tools/$t; done
call -o /dev/null -d '{"ref":"ref_aaaaaaaaaaaaaaaa","session_id":"other"}' http://tools/tools/ref_content
curl -sS --unix-socket .tidepool/control.sock http://x/health || echo hidden`
	if got := s.run(t, tries); strings.Count(got, " 403\n") != 10 || !strings.Contains(got, "hidden") {
		t.Errorf("%s", got)
	}
}
