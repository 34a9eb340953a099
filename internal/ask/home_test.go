package ask

import (
	"errors"
	"strings"
	"testing"

	"tidepool/protocol"
)

func TestQuestionIsAnsweredAtHome(t *testing.T) {
	b := newBoard(t)
	id, outcome := asking(t.Context(), b, confirm("Deploy?"))
	_, changed := b.List()
	b.SetHome(id, Dialog)
	<-changed
	var elsewhere *HomeError
	if _, err := b.Answer(id, protocol.QuestionReply{Choice: Yes}, "command"); !errors.As(err, &elsewhere) || !strings.Contains(elsewhere.Hint(), "Esc") {
		t.Errorf("%v", err)
	}
	if _, err := b.Answer(id, protocol.QuestionReply{Choice: Yes}, Dialog); err != nil {
		t.Error(err)
	}
	if a, err := outcome(); err != nil || a.By != User || a.Channel != Dialog {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := b.Answer(id, protocol.QuestionReply{Choice: Yes}, "command"); err != nil {
		t.Errorf("the same answer again, after the end: %v", err)
	}
	if r, _ := b.Find(id); r.Home != "" {
		t.Errorf("a question that is over waits at %s", r.Home)
	}
}
