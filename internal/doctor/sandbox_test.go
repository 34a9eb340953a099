package doctor

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestSandbox(t *testing.T) {
	support := func(level, failed string, missing ...string) func(context.Context) (string, []string, string, error) {
		return func(context.Context) (string, []string, string, error) { return level, missing, failed, nil }
	}
	for want, s := range map[string]Sandbox{
		"ok switched off by exec.enabled":                            {},
		"ok isolation full":                                          {Enabled: true, Accept: "full", Support: support("full", "")},
		"ok isolation partial, because x: y; not held: a; b":         {Enabled: true, Accept: "partial", Support: support("partial", "x: y", "a", "b")},
		"ok isolation none, because z":                               {Enabled: true, Accept: "none", Support: support("none", "z")},
		"problem safe_bash runs nothing: isolation partial, because": {Enabled: true, Accept: "full", Support: support("partial", "x", "a")},
		"problem safe_bash runs nothing: isolation none":             {Enabled: true, Accept: "partial", Support: support("none", "x")},
		"problem no": {Enabled: true, Support: func(context.Context) (string, []string, string, error) { return "", nil, "", errors.New("no") }},
	} {
		found := s.Look(t.Context())
		got := map[bool]string{true: "ok ", false: "problem "}[found[0].OK] + found[0].Text
		if len(found) != 1 || !strings.HasPrefix(got, want) || found[0].OK != (found[0].Fix == "") {
			t.Errorf("got %q, fix %q, want %q", got, found[0].Fix, want)
		}
	}
}
