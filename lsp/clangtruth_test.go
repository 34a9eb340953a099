package lsp

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// ggml copies C and C++ sources of a module that ours depends on.
func ggml(t *testing.T) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/ollama/ollama").Output()
	if err != nil {
		t.Fatalf("finding C sources: %v", err)
	}
	from, to := filepath.Join(strings.TrimSpace(string(out)), "ml/backend/ggml/ggml"), t.TempDir()
	for _, pattern := range []string{"include/*.h", "src/*.[ch]"} {
		found, _ := filepath.Glob(filepath.Join(from, pattern))
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(from, path)
			put(t, filepath.Join(to, name), string(data))
		}
	}
	put(t, filepath.Join(to, "compile_flags.txt"), "-Iinclude\n-Isrc\n-DGGML_VERSION=\"0\"\n-DGGML_COMMIT=\"0\"\n-D_GNU_SOURCE\n")
	if err := os.Mkdir(filepath.Join(to, ".tidepool"), 0o700); err != nil {
		t.Fatal(err)
	}
	return to
}

// A claim is an answer and what it said of itself.
type claim struct {
	uses  []string
	state State
}

// claims asks for the uses of a name from the first moment on until the server is ready, and then once more.
func claims(t *testing.T, p *Project, name string) (all []claim, truth []string) {
	for done := false; !done; {
		done = p.Completeness().State != Indexing
		v, err := p.View(t.Context(), ViewOptions{Budget: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		found := clangAsk(t, p, v, name)
		all = append(all, claim{found, v.Completeness().State})
	}
	if err := p.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	truth, c := clangUses(t, p, name)
	t.Logf("%d answers while loading, %d uses in the end, %s %s", len(all), len(truth), c.State, c.Reason)
	return all, truth
}

func TestClangClaimsNothingFalse(t *testing.T) {
	dir := ggml(t)
	before := map[string][]string{}
	for _, how := range []string{"cold", "with its index", "with an index of other files"} {
		if how == "with an index of other files" {
			stale := filepath.Join(dir, "src/ggml-alloc.c")
			data, err := os.ReadFile(stale)
			if err != nil {
				t.Fatal(err)
			}
			put(t, stale, strings.ReplaceAll(string(data), "ggml_nbytes(", "ggml_nelements("))
		}
		for _, name := range []string{"ggml_nelements"} {
			p := open(t, dir, clangd(t))
			all, truth := claims(t, p, name)
			for _, c := range all {
				if c.state == Complete && !slices.Equal(c.uses, truth) {
					t.Errorf("%s: claimed to be complete: %d uses of %s; it is %d", how, len(c.uses), name, len(truth))
				}
			}
			if how == "with its index" && !slices.Equal(truth, before[name]) {
				t.Errorf("%s: %d uses of %s, and %d the first time", how, len(truth), name, len(before[name]))
			}
			before[name] = truth
			p.Close(t.Context())
		}
	}
}
