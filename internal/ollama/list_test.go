package ollama

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ollama/ollama/api"
)

// What a model may write where a list was asked for, as Ollama hands it over.
func TestList(t *testing.T) {
	tests := []struct {
		name  string
		value any
		want  []string // nil: an error, or nothing
		fails bool
	}{
		{"an array", []any{"A", " B.C "}, []string{"A", "B.C"}, false},
		{"an empty array, which arrives as null", nil, nil, false},
		{"one bare name", "A", []string{"A"}, false},
		{"names with commas", `A, "B",`, []string{"A", "B"}, false},
		{"JSON in a string", `["A", "B"]`, []string{"A", "B"}, false},
		{"an escape that never ends", "<escape>A", []string{"A"}, false},
		{"empty strings", []any{"", " "}, nil, false},
		{"a number", float64(3), nil, true},
		{"an object", map[string]any{"a": 1}, nil, true},
		{"a list of numbers", []any{"A", float64(2)}, nil, true},
		{"a list of lists", []any{[]any{"A"}}, nil, true},
	}
	for _, tt := range tests {
		call := api.NewToolCallFunctionArguments()
		call.Set(" selected", tt.value)
		got, err := newArguments(&call).List("selected")
		if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.fails {
			t.Errorf("%s: %v\n%s", tt.name, err, diff)
		}
	}
	if _, err := (Arguments{}).List("selected"); err == nil {
		t.Error("no error for a list that is missing")
	}
}
