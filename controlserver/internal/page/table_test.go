package page

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	var out bytes.Buffer
	err := Table(&out, [][3]string{
		{"log.level", `"info"`, "default"},
		{"memory.budget", "0", "default: 10677 MB now, half of the 21355 MB available by MemAvailable of /proc/meminfo"},
		{"policy", `[{"decision":"deny","tool":"Bash","pattern":"git push.*","reason":"Pushing is for people of this team, so ask one of them"}]`, ".tidepool/config.json:3"},
		{"evil", "\x1b[2J", "a\nb"},
	})
	want := `log.level      "info"   default
memory.budget  0        default: 10677 MB now, half of the 21355 MB available by MemAvailable of
                        /proc/meminfo
policy         [{"decision":"deny","tool":"Bash","pattern":"git push.*","reason":"Pushing is for
               people of this team, so ask one of them"}]
               .tidepool/config.json:3
evil           \x1b[2J  a\nb
`
	if diff := cmp.Diff(want, out.String()); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	for line := range strings.Lines(out.String()) {
		if columns(strings.TrimRight(line, "\n")) > tableWidth {
			t.Errorf("%q is too wide", line)
		}
	}
}
