package mcpfeature

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// pageSize is how many entries one page of a list has at most.
const pageSize = 100

// cursorPrefix begins what a cursor encodes: the number of entries before its page.
const cursorPrefix = "after:"

// cursor returns the cursor of the page that begins after so many entries.
func cursor(start int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorPrefix + strconv.Itoa(start)))
}

// readCursor returns where the page of a cursor begins; "" is the first page.
func readCursor(text string) (start int, err error) {
	if text == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if number, is := strings.CutPrefix(string(raw), cursorPrefix); err == nil && is {
		if start, err = strconv.Atoi(number); err == nil && start > 0 && cursor(start) == text {
			return start, nil
		}
	}
	return 0, invalid("%q is no cursor of this list: ask without one, and then with the nextCursor of each answer", foreign(text))
}
