package mermaid

import "testing"

func TestLabel(t *testing.T) {
	for name, want := range map[string]string{
		"Mux.handle":           "Mux.handle",
		`a"]; click x "b`:      "a#34;#93;#59; click x #34;b",
		"größe<T>\x1b\n\u202e": "größe#60;T#62;",
	} {
		if got := Label(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
