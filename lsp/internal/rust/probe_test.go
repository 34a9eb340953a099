package rust

import (
	"strings"
	"testing"
)

func TestRustStatus(t *testing.T) {
	status := &status{health: "ok", changed: make(chan struct{})}
	if _, reload := status.begin(); reload {
		t.Error("the first load is caused")
	}
	status.hear("ok", false, "")
	status.hear("ok", true, "")
	if err := status.wait(t.Context(), 1); err != nil {
		t.Error(err)
	}
	status.outdated = true
	if loads, reload := status.begin(); !reload || loads != 1 || status.next(1) != 2 {
		t.Error("a load is not caused after structural changes")
	}
	status.hear("ok", false, "")
	if status.next(1) != 2 || status.next(2) != 2 {
		t.Error("a load that goes on from another one is waited for apart")
	}
	status.hear("error", true, "")
	if err := status.wait(t.Context(), 2); err == nil || !strings.Contains(err.Error(), "error") {
		t.Errorf("health error is %v", err)
	}
	status.end()
	if !status.hear("ok", true, "") {
		t.Error("another health is no surprise")
	}
	if status.hear("ok", true, "") {
		t.Error("the same health is a surprise")
	}
}

func TestRustConfigured(t *testing.T) {
	for text, want := range map[string]bool{
		"fn f() {}": false, "#[cfg(test)]\nmod tests {}": false, "#[cfg( test )]": false, "#[cfg(windows)]\nfn f() {}": true,
		"#[cfg(test)]\nmod tests {}\n#[cfg(feature = \"x\")]\nfn f() {}": true, "#![cfg(unix)]": true, "#[cfg_attr(test, derive(Debug))]": false,
	} {
		if got := configured(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
