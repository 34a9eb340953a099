package statuspage

import (
	"bytes"
	"strings"
	"testing"

	"tidepool/controlserver/internal/page"
	"tidepool/protocol"
)

func TestSecrets(t *testing.T) {
	for want, s := range map[string]*protocol.SecretsState{
		"":                          nil,
		"show all of them":          {Native: "off", Replaced: 3},
		"replaced in 3 outputs of":  {Native: "known", Replaced: 3},
		"; 1 call with a token":     {Native: "known", Refused: 1},
		"1 output withheld":         {Native: "all", Withheld: 1},
		"2 failing commands showed": {Native: "all", Shown: 2},
		"9 outputs of tools or":     {Native: "all", Unknown: 9},
		"1 list of fingerprints":    {Native: "all", Unlearned: 1},
	} {
		var out bytes.Buffer
		printSecrets(page.New(&out), s)
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, want) || (s == nil) != (got == "") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
