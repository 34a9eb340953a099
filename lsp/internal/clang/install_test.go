package clang

import (
	"slices"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	for want, there := range map[string][]string{
		"apt-get install -y --no-install-recommends clangd": {"apt-get", "dnf"},
		"dnf install -y clang-tools-extra":                  {"dnf"},
		"brew install llvm":                                 {"brew", "xcode-select"},
		"xcode-select --install":                            {"xcode-select"},
		"":                                                  nil,
	} {
		got := install(func(program string) bool { return slices.Contains(there, program) })
		if !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("with %v: %q, want %q", there, got, want)
		}
	}
}
