package proxy

import (
	"fmt"
	"testing"

	"tidepool/lsp/internal/session"
)

// Edits name the client's versions, wherever they stand, and nothing else of a result is touched.
func TestProxyEditVersions(t *testing.T) {
	v := session.Buffers{"/p/a.go": {Version: 9}}
	const document = `{"textDocument":{"version":%s,"uri":"file:///p/%s.go"},"edits":[ {"newText":"<\u00fc>"} ]}`
	edit := func(a, b string) string {
		return `{"documentChanges":[` + fmt.Sprintf(document, a, "a") + `,{"kind":"create","uri":"file:///p/c.go"},` + fmt.Sprintf(document, b, "b") + `]}`
	}
	given, want := edit("3", "4"), edit("9", "null")
	for _, test := range []struct{ given, want string }{
		{given, want},
		{`{"label":"x","edit":` + given + `}`, `{"label":"x","edit":` + want + `}`},
		{`[{"title":"a","edit":` + given + `},{"command":"b"}]`, `[{"title":"a","edit":` + want + `},{"command":"b"}]`},
		{`{"changes":{"file:///p/a.go":[{"version":3}]}}`, `{"changes":{"file:///p/a.go":[{"version":3}]}}`},
		{`"documentChanges"`, `"documentChanges"`},
		{`null`, `null`},
		{`{"documentChanges":7}`, `{"documentChanges":7}`},
	} {
		if got := string(withVersions(v, []byte(test.given))); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.given, got, test.want)
		}
	}
}
