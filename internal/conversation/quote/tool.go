package quote

import (
	"fmt"

	"tidepool/internal/conversation"
)

// ToolLine returns one use of a tool on one line of at most 300 characters: "Edit gateway/retry.go", "Bash go test ./... failed: …".
func ToolLine(t conversation.Tool) string {
	line := t.Name
	for _, part := range []string{t.Type, t.File, t.Command, t.Pattern, t.Description} {
		if part != "" {
			line += " " + Line(part, 200)
		}
	}
	if t.Chars > 0 {
		line += fmt.Sprintf(" (%d characters)", t.Chars)
	}
	if t.Error != "" {
		line += " failed: " + Line(t.Error, 200)
	}
	return Line(line, 300)
}
