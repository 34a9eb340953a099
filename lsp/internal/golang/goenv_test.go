package golang

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"tidepool/lsp/internal/session"
)

// The go command itself says where it would install, and where it keeps what a person has set.
func TestBinDirs(t *testing.T) {
	home := t.TempDir()
	for _, config := range []string{".config", "conf"} { // else a process of its telemetry may write there when the test has ended
		mode := filepath.Join(home, config, "go", "telemetry", "mode")
		if err := os.MkdirAll(filepath.Dir(mode), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(mode, []byte("off\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		set  string // by go env -w
		env  []string
		want string // below the home
	}{
		{"", nil, "go/bin"},
		{"", []string{"GOPATH=" + home + "/work"}, "work/bin"},
		{"GOPATH=" + home + "/set", nil, "set/bin"},
		{"GOPATH=" + home + "/set", []string{"GOPATH=" + home + "/work"}, "work/bin"},
		{"GOBIN=" + home + "/bin", nil, "bin"},
		{"GOBIN=" + home + "/bin", []string{"GOENV=off"}, "go/bin"},
		{"GOBIN=" + home + "/bin", []string{"XDG_CONFIG_HOME=" + home + "/conf"}, "bin"},
		{"GOBIN=" + home + "/bin", []string{"GOENV=" + home + "/env"}, "bin"},
	} {
		env := append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GOTOOLCHAIN=local"}, tt.env...)
		if tt.set != "" && !slices.Contains(tt.env, "GOENV=off") {
			cmd := exec.Command("go", "env", "-w", tt.set)
			cmd.Env = env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		get := func(name string) string { return session.Getenv(env, name) }
		if got, want := binDirs(get), filepath.Join(home, tt.want); !slices.Equal(got, []string{want}) {
			t.Errorf("%+v: %q, want %s", tt, got, want)
		}
		if file := goEnvFile(get); file != "" {
			os.Remove(file)
		}
	}
}
