package learned

import (
	"testing"

	"tidepool/scout"
)

func TestFeatures(t *testing.T) {
	e := scout.Edge{
		From:      scout.Node{Name: "store.Open", Kind: "function", Path: "internal/store/store.go", Line: 9},
		To:        scout.Node{Name: "run", Path: "cmd/tool/main_gen.go", Line: 3},
		Role:      scout.RoleCall,
		Enclosing: "openStore",
		Snippet:   "\ts, err := store.Open(path)\n\t// Open it",
		Depth:     2,
	}
	got := make(map[string]float64)
	for _, f := range featuresOf(scout.AddParameter, e) {
		got[f.name] = f.value
	}
	for name, want := range map[string]float64{
		"always": 1, "role call": 1, "role call of add_parameter": 1, "test": 0, "steps": 0.4, "generated": 1, "exported": 1,
		"same package": 0, "directories away": 4. / 6, "alike names": 1, "line names it": 1, "line calls it": 1, "of function": 1,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		line, name string
		want       bool
	}{{"x.Open(p)", "Open", true}, {"x.Opened", "Open", false}, {"Opened; Open", "Open", true}, {"a", "", false}, {"", "a", false}} {
		if got := names(tt.line, tt.name); got != tt.want {
			t.Errorf("names(%q, %q) = %t", tt.line, tt.name, got)
		}
	}
	for _, tt := range []struct {
		a, b string
		want float64
	}{{"openStore", "Store", 0.5}, {"HTTPServer", "server", 0}, {"snake_case", "snakeCase", 1}, {"", "a", 0}} {
		if got := similarity(tt.a, tt.b); got != tt.want {
			t.Errorf("similarity(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
