package proxy

import (
	"strings"
	"testing"
)

// What lies in another worktree is left out of lists of any kind.
func TestProxyReplyFiles(t *testing.T) {
	for element, want := range map[string]string{
		`{"uri":"file:///a"}`:                                   "/a",
		`{"targetUri":"file:///a"}`:                             "/a",
		`{"name":"n","location":{"uri":"file:///a"}}`:           "/a",
		`{"from":{"uri":"file:///a"},"fromRanges":[]}`:          "/a",
		`{"to":{"uri":"file:///a"},"fromRanges":[]}`:            "/a",
		`{"name":"n","range":{},"selectionRange":{}}`:           "",
		`{"label":"completion","data":{"uri":"file:///other"}}`: "",
		`7`: "",
	} {
		if got := strings.Join(filesOf([]byte(element)), " "); got != want {
			t.Errorf("%s: %q", element, got)
		}
	}
}
