package main

import (
	"os"
	"path/filepath"
	"testing"

	"tidepool/internal/checkout"
)

// Hidden tests are declared under another name.
func TestHide(t *testing.T) {
	m := &module{Checkout: &checkout.Checkout{Dir: t.TempDir()}}
	path := filepath.Join(m.Dir, "a_test.go")
	const source = "package a\n\nfunc TestA(t *testing.T) {}\n\nfunc TestAll(t *testing.T) { TestA(t) }\n"
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	hidden := []topic{{hidden: []*test{{file: "a_test.go", name: "TestAll"}}}}
	if err := m.hide(hidden); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if want := "package a\n\nfunc TestA(t *testing.T) {}\n\nfunc hiddenTestAll(t *testing.T) { TestA(t) }\n"; err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if m.hide(hidden) == nil {
		t.Error("a test that is not there was hidden")
	}
}
