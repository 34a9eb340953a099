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
func claims(t *testing.T, p *Project, name string) (all []claim, last []string) {
	for done := false; !done; {
		done = p.Completeness().State != Indexing
		begun := time.Now()
		v := hasty(t, p)
		found := clangAsk(t, p, v, name)
		all = append(all, claim{found, v.Completeness().State})
		time.Sleep(time.Since(begun)) // else the questions leave a single processor no time to index
	}
	last, c := clangUses(t, p, name)
	if c.State != Complete {
		t.Errorf("in the end: %s %s", c.State, c.Reason)
	}
	return append(all, claim{last, c.State}), last
}

// TestClangClaimsNothingFalse compares what each answer claims with what the sources say: the name that it asks for stands
// in no comment and under no #if.
func TestClangClaimsNothingFalse(t *testing.T) {
	t.Parallel()
	const name = "ggml_nelements"
	dir := ggml(t)
	extend := func(file, before, behind string) {
		path := filepath.Join(dir, file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		put(t, path, before+string(data)+behind)
	}
	for _, start := range []struct {
		how    string
		before func()
	}{
		{"cold", func() {}},
		{"with its index", func() {}},
		{"with an index of another source", func() {
			extend("src/ollama-debug.c", "", "int64_t more(const struct ggml_tensor * t) { return ggml_nelements(t); }\n")
		}},
		{"with an index of another header", func() { extend("include/ggml-alloc.h", "\n", "") }},
	} {
		start.before()
		truth := clangMentions(t, dir, name)
		p := open(t, dir, clangd(t))
		all, last := claims(t, p, name)
		wrong := 0
		for _, c := range all {
			if c.state == Complete && !slices.Equal(c.uses, truth) {
				wrong++
			}
		}
		if wrong > 0 || len(truth) < 30 {
			t.Errorf("%s: %d of %d answers claimed to be complete and were not; there are %d uses, the last has %d", start.how, wrong, len(all), len(truth), len(last))
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
