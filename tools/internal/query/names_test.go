package query

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestNamesJSON(t *testing.T) {
	for given, want := range map[string][]string{
		`["A"," B ","","A"]`: {"A", "B"}, `"A, b.C ,, A"`: {"A", "b.C"}, `null`: nil, `""`: nil,
	} {
		var got Names
		if err := json.Unmarshal([]byte(given), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v", given, got, err)
		}
	}
	for _, given := range []string{`3`, `[3]`, `{}`} {
		if err := json.Unmarshal([]byte(given), new(Names)); err == nil {
			t.Errorf("%s is accepted", given)
		}
	}
}
