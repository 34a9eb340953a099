package lsp

import "testing"

// An answer to a question that was asked while the server was loading is not kept, even if it comes afterwards.
func TestNamesOfAServerAtWork(t *testing.T) {
	language := toy()
	s := newServer(&Project{}, &language, &tree{})
	s.session = &session{launch: launch{language: &language}, progress: newProgress(&language)}
	load := func() {
		s.session.progress.begin("check", task{title: language.CheckTitle})
		s.session.progress.begin("load", task{title: language.LoadTitle})
		s.session.progress.end("load", language.LoadEnd)
		s.session.progress.end("check", "")
	}
	for _, test := range []struct {
		name  string
		first func() // between question and answer
		kept  bool
	}{
		{"asked while it loads", load, false},
		{"asked afterwards", func() {}, true},
	} {
		_, _, epoch := s.recall("Alpha")
		test.first()
		s.remember("Alpha", []Symbol{{Name: "Alpha"}}, epoch)
		if _, kept, _ := s.recall("Alpha"); kept != test.kept {
			t.Errorf("%s: kept is %t", test.name, kept)
		}
	}
	_, _, epoch := s.recall("Beta")
	s.names.forget()
	s.remember("Beta", nil, epoch)
	if _, kept, _ := s.recall("Beta"); kept {
		t.Error("an answer from before a change is kept")
	}
}
