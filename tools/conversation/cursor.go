package conversation

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// A cursor is how many hits an answer has left behind it and a sum of the query that it belongs to: "10-1f2e3d4c".

// cursor returns that of the answer that begins after skip hits.
func (in SearchConversationsInput) cursor(skip int) string {
	return fmt.Sprintf("%d-%08x", skip, in.sum())
}

// skip returns how many hits the cursor leaves out.
func (in SearchConversationsInput) skip() (int, error) {
	if in.Cursor == "" {
		return 0, nil
	}
	number, sum, _ := strings.Cut(in.Cursor, "-")
	skip, err := strconv.ParseUint(number, 10, 31)
	if err != nil || sum != fmt.Sprintf("%08x", in.sum()) {
		return 0, cursorError{}
	}
	return int(skip), nil
}

// sum tells queries apart. How much of the hits an answer holds does not count.
func (in SearchConversationsInput) sum() uint32 {
	in.Cursor, in.Limit, in.Budget = "", 0, 0
	text, _ := json.Marshal(in) // of strings and numbers: it cannot fail
	return crc32.ChecksumIEEE(text)
}

// A cursorError means that a cursor is not of this query.
type cursorError struct{}

func (cursorError) Error() string { return "the cursor belongs to another query" }

// Hint says what to do.
func (cursorError) Hint() string {
	return "repeat query, session_id, project, since, until, role and subagents as they were, or ask without a cursor"
}
