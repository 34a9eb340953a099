package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidepool/internal/daemontest"
	"tidepool/lsp/lsptest"
)

// goModule writes a small module into a new project, served by the real gopls.
func goModule(t *testing.T) string {
	t.Helper()
	dir := daemontest.Project(t)
	for name, text := range map[string]string{
		"go.mod":    "module shop\n\ngo 1.26\n",
		"price.go":  "package shop\n\nfunc Price(items int) int { return 3 * items }\n",
		"basket.go": "package shop\n\ntype Basket struct{ Items int }\n\nfunc (b Basket) Total() int { return Price(b.Items) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	daemontest.WriteConfig(t, dir, fmt.Sprintf(`{"languages": {"go": {"command": [%q]}}, "ready_budget": "1m"}`, lsptest.Program(t, "gopls")))
	return dir
}

func TestTools(t *testing.T) {
	d := startDaemon(t, goModule(t), []string{"GOWORK=off"})

	r := d.Call(t, "find_callers", `{"name": "Price"}`)
	if r.Error != nil || !strings.Contains(r.Text, "basket.go:5") {
		t.Errorf("find_callers: %v\n%s", r.Error, r.Text)
	}
	var found struct {
		CallSites    []struct{ Line int } `json:"call_sites"`
		Completeness struct{ State string }
	}
	if err := json.Unmarshal(r.Result, &found); err != nil || len(found.CallSites) != 1 || found.CallSites[0].Line != 5 || found.Completeness.State != "complete" {
		t.Errorf("find_callers: %s (%v)", r.Result, err)
	}
	if r := d.Call(t, "show_fields", `{"type_name": "Basket"}`); r.Error != nil || !strings.Contains(r.Text, "Items") {
		t.Errorf("show_fields: %v\n%s", r.Error, r.Text)
	}

	s := d.Status(t)
	if s.Calls != 2 || !s.Ready || s.Completeness != "complete" {
		t.Errorf("status = %+v", s)
	}
	if row := s.LanguageServers[0]; row.State != "ready" || row.PID == 0 || filepath.Base(row.Command) != "gopls" {
		t.Errorf("language server = %+v", row)
	}
	gopid := s.LanguageServers[0].PID
	runProgram(t, d.Project, nil, "stop").want(t, 0, "stopped", "")
	if _, err := os.Stat(fmt.Sprintf("/proc/%d", gopid)); err == nil {
		t.Errorf("gopls (pid %d) outlives the daemon", gopid)
	}
}
