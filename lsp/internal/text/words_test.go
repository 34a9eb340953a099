package text

import "testing"

func TestMentions(t *testing.T) {
	tests := []struct {
		text, name string
		want       bool
	}{
		{"a Name b", "Name", true},
		{"Name", "Name", true},
		{"x.Name(", "Name", true},
		{"NameX Names", "Name", false},
		{"MyName _Name", "Name", false},
		{"üName Nameü", "Name", false},
		{"NameX Name", "Name", true},
		{"anything", "", false},
		{"", "Name", false},
	}
	for _, test := range tests {
		if got := Mentions(test.text, test.name); got != test.want {
			t.Errorf("mentions(%q, %q) = %v", test.text, test.name, got)
		}
	}
}

func TestWordAt(t *testing.T) {
	line := "/* ü😀 */ größe.Wert(x)"
	tests := map[int]string{0: "", 3: "ü", 13: "größe", 16: "größe", 20: "größe", 21: "Wert", 25: "Wert", 26: "x", 28: "", 99: "", -1: ""}
	for offset, want := range tests {
		if got := WordAt(line, offset); got != want {
			t.Errorf("wordAt(%d) = %q, want %q", offset, got, want)
		}
	}
}

func TestLastWord(t *testing.T) {
	for query, want := range map[string]string{"F": "F", "pkg.T.M": "M", "ns::T::m": "m", "T#m": "m", "~größe": "größe", "foldl'": "foldl", "": "", "==": ""} {
		if got := LastWord(query); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}
