package golang

import "testing"

func TestGoGenerates(t *testing.T) {
	commands := []string{"go tool stringer -type=Kind", "stringer -type Tone -linecomment", "go run ./gen/tables.go -o tables.go", "mockgen -destination mock_a.go"}
	for _, tt := range []struct{ by, file, want string }{
		{"stringer -type=Kind", "kind_string.go", "go tool stringer -type=Kind"},
		{"stringer -type=Tone", "tone_string.go", "stringer -type Tone -linecomment"},
		{"stringer -type=Other", "other_string.go", ""}, // two might be meant
		{"tables.go", "tables.go", "go run ./gen/tables.go -o tables.go"},
		{"gen/tables.go", "x.go", "go run ./gen/tables.go -o tables.go"},
		{"MockGen", "mock_a.go", "mockgen -destination mock_a.go"},
		{"protoc-gen-go", "a.pb.go", ""},
		{"", "b.go", ""},
	} {
		if got, ok := generates(commands, tt.by, tt.file); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s in %s: %q, want %q", tt.by, tt.file, got, tt.want)
		}
	}
}
