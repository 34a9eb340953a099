package rust

import (
	"path/filepath"
	"testing"

	"tidepool/lsp/lsptest"
)

func TestRustToolchain(t *testing.T) {
	home := t.TempDir()
	lookup := func(more map[string]string) func(string) string {
		return func(key string) string {
			if value, ok := more[key]; ok {
				return value
			}
			return map[string]string{"HOME": home}[key]
		}
	}
	want := func(want string, more map[string]string) {
		t.Helper()
		if got := toolchain("/p/a", lookup(more)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	want("", nil) // no rustup
	lsptest.Put(t, filepath.Join(home, ".rustup", "toolchains", "x"), "")
	want("stable", nil)
	settings := filepath.Join(home, ".rustup", "settings.toml")
	lsptest.Put(t, settings, "default_toolchain = \"beta\"\nprofile = \"default\"\n\n[overrides]\n\"/p\" = \"nightly\"\n\"/p/a/b\" = \"no\"\n\"/p/ab\" = \"no\"\n")
	want("nightly", nil)
	lsptest.Put(t, settings, "default_toolchain = \"beta\"\n[overrides]\n")
	want("beta", nil)
	want("", map[string]string{"RUSTUP_TOOLCHAIN": "mine"})
	want("", map[string]string{"RUSTUP_HOME": filepath.Join(home, "none")})
}
