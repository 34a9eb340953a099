package main

import (
	"testing"

	"tidepool/internal/wording"
)

// A command or flag that is misspelt is answered with the one that may be meant.
func TestMisspeltCommandLines(t *testing.T) {
	const list = "--help lists the commands, and behind a command its flags"
	h := newHome(t)
	for _, test := range []struct {
		args      []string
		what, may string
	}{
		{[]string{"questons"}, "unexpected argument questons", "controlserver questions"},
		{[]string{"stauts"}, "unexpected argument stauts", "controlserver status"},
		{[]string{"scuot"}, "unexpected argument scuot", "controlserver scout"},
		{[]string{"policy", "tset"}, "unexpected argument tset", "controlserver policy test"},
		{[]string{"config", "--josn"}, "unknown flag --josn", "controlserver config --json"},
		{[]string{"xyzzyx"}, "unexpected argument xyzzyx", ""},
	} {
		hint := "hint: " + list
		if test.may != "" {
			hint = "hint: did you mean `" + test.may + "`? " + list
		}
		h.run(test.args...).want(t, 2, "", "error: "+test.what+"\n"+hint)
	}
	if got := wording.HintOf(misread(errPlain{})); got != list {
		t.Errorf("got %q", got)
	}
}

type errPlain struct{}

func (errPlain) Error() string { return "missing flags" }
