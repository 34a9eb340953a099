package figures

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var printed strings.Builder
	table := NewTable(&printed, "3 things")
	table.Add(Row{What: "size", Hold: "≤ 2", Measured: "1", Beside: "–", Held: true})
	if err := table.Err(); err != nil {
		t.Error(err)
	}
	table.Add(Row{What: "time", Hold: "≤ 2", Measured: "3", Beside: "peer 1"})
	if err := table.Err(); err == nil || err.Error() != "1 of the bounds not held" {
		t.Errorf("got %v", err)
	}
	want := Machine() + "; 3 things\n\n| what | hold | measured | beside it |\n|---|---|---|---|\n" +
		"| size | ≤ 2 | 1 | – |\n| time | ≤ 2 | 3; **missed** | peer 1 |\n"
	if printed.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", printed.String(), want)
	}
	checkout := t.TempDir()
	page := filepath.Join(checkout, "docs", "figures.md")
	if err := os.Mkdir(filepath.Dir(page), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := table.Write(checkout, "bench"); err == nil {
		t.Error("wrote into a page that does not exist")
	}
	if err := os.WriteFile(page, []byte("# Figures\n\n<!-- begin bench: written by make bench -->\nstale\n<!-- end bench -->\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := table.Write(checkout, "bench"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(got), strings.TrimSpace(want)) || strings.Contains(string(got), "stale") {
		t.Errorf("the page is %q, %v", got, err)
	}
}

func TestHeadWithoutSubject(t *testing.T) {
	var printed strings.Builder
	NewTable(&printed, "")
	if first, _, _ := strings.Cut(printed.String(), "\n"); first != Machine() {
		t.Errorf("got %q", first)
	}
}

func TestGroups(t *testing.T) {
	group := func(name string, err error) Group {
		return Group{name, func(_ context.Context, checkout string) ([]Row, error) {
			return []Row{{What: name + " of " + checkout}}, err
		}}
	}
	both := []Group{group("a", nil), group("b", nil)}
	if rows, err := measured(t.Context(), "c", "", both); err != nil || len(rows) != 2 || rows[1].What != "b of c" {
		t.Errorf("%v, %v", rows, err)
	}
	if rows, err := measured(t.Context(), "c", "b", both); err != nil || len(rows) != 1 {
		t.Errorf("%v, %v", rows, err)
	}
	if _, err := measured(t.Context(), "c", "z", both); err == nil || !strings.Contains(err.Error(), `"z"`) {
		t.Errorf("got %v", err)
	}
	if _, err := measured(t.Context(), "c", "", []Group{group("a", io.EOF)}); err == nil || err.Error() != "measuring a: EOF" {
		t.Errorf("got %v", err)
	}
	if err := Publish(t.Context(), []string{"-write", "-only", "a"}, "exec", both); err == nil {
		t.Error("a part of a table is written")
	}
}
