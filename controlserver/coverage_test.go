package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"tidepool/internal/daemontest"
	"tidepool/lsp/lsptest"
	"tidepool/protocol"
)

// payModule is a module of which types say too much: every test of shop can run round. One package cannot be measured.
const payModule = `
-- go.mod --
module example.test/m

go 1.26
-- shop/shop.go --
package shop

var tills = map[string]func(int) int{"round": round, "plain": plain}

func Pay(till string, price int) int { return tills[till](price) }

func round(price int) int {
	return price / 10 * 10
}

func plain(price int) int { return price }
-- shop/shop_test.go --
package shop

import "testing"

func TestRound(t *testing.T) { Pay("round", 11) }

func TestPlain(t *testing.T) { Pay("plain", 11) }
-- native/native.go --
package native

import (
	"syscall"

	"example.test/m/shop"
)

func Group() syscall.SysProcAttr { return syscall.SysProcAttr{Setpgid: shop.Pay("round", 0) > 0} }
-- native/native_test.go --
package native

import "testing"

func TestGroup(t *testing.T) { Group() }
`

// testedModule writes the module into a new project, with measuring or without.
func testedModule(t *testing.T, measures bool) string {
	t.Helper()
	dir := daemontest.Project(t)
	for _, f := range txtar.Parse([]byte(payModule)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	daemontest.WriteConfig(t, dir, fmt.Sprintf(`{"languages": {"go": {"command": [%q]}}, "ready_budget": "1m", "server": {"call_timeout": "20m"},
		"scout": {"scorer": "heuristic", "measure_tests": %t}}`, lsptest.Program(t, "gopls"), measures))
	return dir
}

// whoRuns asks which tests run round until gopls knows what that is, and returns the answer as "round: TestRound, TestGroup?",
// with a question mark for what is an estimate, and its text.
func whoRuns(t *testing.T, d running, wait int) (tests, text string) {
	t.Helper()
	var r *protocol.MCPToolResponse
	var answer struct {
		Pointers []struct {
			In       string
			Depth    int
			Observed bool
		}
		Completeness struct{ State string }
	}
	daemontest.Eventually(t, "gopls knows what round is", func() bool {
		r = d.Call(t, "scout", fmt.Sprintf(`{"query": "which tests?", "symbols": ["shop.round"], "change": "change_behavior", "wait_seconds": %d}`, wait))
		if r.Error != nil {
			t.Fatal(r.Error)
		}
		if err := json.Unmarshal(r.Result, &answer); err != nil {
			t.Fatal(err)
		}
		return len(answer.Pointers) > 0 || answer.Completeness.State != "indexing"
	})
	var names []string
	for _, p := range answer.Pointers {
		switch {
		case p.Depth == 0:
		case p.Observed:
			names = append(names, p.In)
		default:
			names = append(names, p.In+"?")
		}
	}
	return strings.Join(names, ", "), r.Text
}

func (r running) expectRuns(t *testing.T, wait int, want string, says ...string) {
	t.Helper()
	tests, text := whoRuns(t, r, wait)
	if tests != want {
		t.Errorf("%s run it, want %s:\n%s", tests, want, text)
	}
	for _, part := range says {
		if !strings.Contains(text, part) {
			t.Errorf("the answer does not say %q:\n%s", part, text)
		}
	}
}

// awaitMeasured waits until no test of a module is still to be measured.
func (r running) awaitMeasured(t *testing.T) protocol.MeasuredTests {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); {
		whoRuns(t, r, 20)
		if all := r.Status(t).MeasuredTests; len(all) == 1 && all[0].Waiting == 0 {
			return all[0]
		}
	}
	t.Fatal("the tests are not measured in ten minutes")
	return protocol.MeasuredTests{}
}

func TestMeasuredTests(t *testing.T) {
	dir := testedModule(t, true)
	d := startDaemon(t, dir, []string{"GOWORK=off"})
	state := d.awaitMeasured(t)
	if state.Tests != 2 || state.Packages != 2 || state.Measured != 1 || state.Failed != 1 || state.CPUMS == 0 {
		t.Errorf("the status is %+v", state)
	}
	runProgram(t, dir, nil, "status").want(t, 0, "2 tests measured, of 1 of 2 packages, 1 failed", "")
	d.expectRuns(t, 0, "TestRound, TestGroup?", "one by one: 1 ran it", "go test ./native ./shop -run '^Test(Round|Group)$'", "which tests run it is estimated in native (they cannot be run to see: ")

	// An edit makes the answer one of the past, until it is waited for.
	edited := strings.Replace(payModule[strings.Index(payModule, "package shop\n\nimport"):strings.Index(payModule, "-- native/native.go")], `"plain"`, `"round"`, 1)
	if err := os.WriteFile(filepath.Join(dir, "shop", "shop_test.go"), []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	d.expectRuns(t, 0, "TestRound?, TestGroup?", "which tests run it is estimated in shop (measured before the latest changes, ask again in a moment), in native (")
	d.awaitMeasured(t)
	d.expectRuns(t, 0, "TestRound, TestPlain, TestGroup?", "2 ran it")
	runProgram(t, dir, nil, "stop").want(t, 0, "stopped", "")

	// The next daemon knows it from the start.
	d = startDaemon(t, dir, []string{"GOWORK=off"})
	d.expectRuns(t, 20, "TestRound, TestPlain, TestGroup?", "2 ran it")
}

func TestTestsAreNotMeasuredUnlessWanted(t *testing.T) {
	d := startDaemon(t, testedModule(t, false), []string{"GOWORK=off"})
	d.expectRuns(t, 20, "TestRound?, TestPlain?, TestGroup?", "scout.measure_tests is off")
	if s := d.Status(t); s.MeasuredTests != nil {
		t.Errorf("the status is %+v", s.MeasuredTests)
	}
}
