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
		of        string // "": no command was found
	}{
		{[]string{"questons"}, "unexpected argument questons", "controlserver questions", ""},
		{[]string{"stauts"}, "unexpected argument stauts", "controlserver status", ""},
		{[]string{"scuot"}, "unexpected argument scuot", "controlserver scout", ""},
		{[]string{"policy", "tset"}, "unexpected argument tset", "controlserver policy test", "controlserver policy"},
		{[]string{"config", "--josn"}, "unknown flag --josn", "controlserver config --json", "controlserver config"},
		{[]string{"config", "recall"}, "unexpected argument recall", "", "controlserver config"},
		{[]string{"search"}, `expected "<words> ..."`, "", "controlserver search"},
		{[]string{"xyzzyx"}, "unexpected argument xyzzyx", "", ""},
	} {
		hint := list
		if test.of != "" {
			hint = "`" + test.of + " --help` shows what it takes"
		}
		if test.may != "" {
			hint = "did you mean `" + test.may + "`? " + hint
		}
		h.run(test.args...).want(t, 2, "", "error: "+test.what+"\nhint: "+hint)
	}
	if got := wording.HintOf(misread(errPlain{})); got != list {
		t.Errorf("got %q", got)
	}
}

type errPlain struct{}

func (errPlain) Error() string { return "missing flags" }
