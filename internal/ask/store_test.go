package ask

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tidepool/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func confirm(text string) protocol.Question {
	return protocol.Question{Kind: protocol.ConfirmQuestion, Text: text, Options: []protocol.QuestionOption{{ID: Yes, Label: "Confirm"}, {ID: No, Label: "Cancel"}}}
}

func newBoard(t *testing.T) *Store {
	t.Helper()
	b, err := OpenStore(filepath.Join(t.TempDir(), "questions.json"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// asking puts a question up and returns its id, and a function that waits for what became of it.
func asking(ctx context.Context, b *Store, q protocol.Question) (id string, outcome func() (Answer, error)) {
	ids := make(chan string, 1)
	var a Answer
	var err error
	var done sync.WaitGroup
	done.Go(func() { a, err = b.Ask(ctx, q, func(q protocol.Question) { ids <- q.ID }) })
	return <-ids, func() (Answer, error) { done.Wait(); return a, err }
}

func TestFirstAnswerCounts(t *testing.T) {
	b := newBoard(t)
	id, outcome := asking(t.Context(), b, confirm("Deploy?"))
	if _, err := b.Answer(id, protocol.QuestionReply{Choice: "y"}, "ui"); err != nil {
		t.Fatal(err)
	}
	if a, err := outcome(); err != nil || a.By != User || a.Reply.Choice != Yes || a.Channel != "ui" {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := b.Answer(id, protocol.QuestionReply{Choice: Yes}, "command"); err != nil {
		t.Errorf("the same again: %v", err)
	}
	var late *AnsweredError
	if _, err := b.Answer(id, protocol.QuestionReply{Choice: No}, "command"); !errors.As(err, &late) || late.Record.Channel != "ui" {
		t.Errorf("another one: %v", err)
	}
}

func TestAnswersFromEverywhereAtOnce(t *testing.T) {
	b := newBoard(t)
	id, outcome := asking(t.Context(), b, protocol.Question{Kind: protocol.GuidanceQuestion, Text: "Now what?", Free: true})
	var won sync.Map
	var everybody sync.WaitGroup
	for i := range 20 {
		everybody.Go(func() {
			if _, err := b.Answer(id, protocol.QuestionReply{Text: fmt.Sprint("do ", i)}, "command"); err == nil {
				won.Store(fmt.Sprint("do ", i), true)
			}
		})
	}
	everybody.Wait()
	a, err := outcome()
	if _, counted := won.Load(a.Reply.Text); err != nil || !counted {
		t.Errorf("%+v, %v", a, err)
	}
	n := 0
	won.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d answers counted", n)
	}
}

func TestNobodyIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := OpenStore("")
		if err != nil {
			t.Fatal(err)
		}
		for _, seen := range []bool{false, true} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			id, outcome := asking(ctx, b, confirm("Deploy?"))
			want := None
			if seen {
				b.MarkSeen(id, "ui")
				want = Timeout
			}
			a, err := outcome()
			if err != nil || a.By != want || a.Reason == "" || a.Reply != (protocol.QuestionReply{}) {
				t.Errorf("seen %v: %+v, %v", seen, a, err)
			}
			var gone *WithdrawnError
			if _, err := b.Answer(id, protocol.QuestionReply{Choice: Yes}, "ui"); !errors.As(err, &gone) {
				t.Errorf("an answer to a question that is over: %v", err)
			}
		}
	})
}

func TestCancelWithdraws(t *testing.T) {
	b := newBoard(t)
	ctx, cancel := context.WithCancel(t.Context())
	id, outcome := asking(ctx, b, confirm("Deploy?"))
	cancel()
	if _, err := outcome(); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if r, _ := b.Find(id); r.State != protocol.QuestionWithdrawn || r.Reason == "" {
		t.Errorf("%+v", r)
	}
	if _, err := b.Ask(ctx, confirm("Again?"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("asked when nobody waits: %v", err)
	}
}

func TestRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "questions.json")
	b, err := OpenStore(path)
	if err != nil {
		t.Fatal(err)
	}
	answered, outcome := asking(t.Context(), b, confirm("First?"))
	if _, err := b.Answer(answered, protocol.QuestionReply{Choice: No}, "command"); err != nil {
		t.Fatal(err)
	}
	if _, err := outcome(); err != nil {
		t.Fatal(err)
	}
	open, _ := asking(t.Context(), b, confirm("Second?"))

	again, err := OpenStore(path)
	if err != nil {
		t.Fatal(err)
	}
	if r, _ := again.Find(answered); r.State != protocol.QuestionAnswered || r.Reply.Choice != No || r.Channel != "command" {
		t.Errorf("answered before: %+v", r)
	}
	if r, _ := again.Find(open); r.State != protocol.QuestionWithdrawn || !strings.Contains(r.Reason, "restarted") {
		t.Errorf("open before: %+v", r)
	}
	third, _ := asking(t.Context(), again, confirm("Third?"))
	if third != "3" {
		t.Errorf("the third question is called %s", third)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	b.Withdraw(open, "the test is over")
	again.Withdraw(third, "the test is over")
}

func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "questions.json")
	if err := os.WriteFile(path, []byte("[{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var damaged *DamagedError
	if _, err := OpenStore(path); !errors.As(err, &damaged) || damaged.Hint() == "" {
		t.Errorf("%v", err)
	}
}

func TestListAndChanges(t *testing.T) {
	b := newBoard(t)
	_, changed := b.List()
	first, _ := asking(t.Context(), b, confirm("First?"))
	<-changed
	second, _ := asking(t.Context(), b, confirm("Second?"))
	if _, err := b.Answer(second, protocol.QuestionReply{Choice: Yes}, "ui"); err != nil {
		t.Fatal(err)
	}
	list, changed := b.List()
	if len(list) != 2 || list[0].ID != first || list[1].State != protocol.QuestionAnswered {
		t.Errorf("%+v", list)
	}
	b.Withdraw(first, "enough")
	<-changed
}

func TestOldQuestionsAreForgotten(t *testing.T) {
	b, err := OpenStore("")
	if err != nil {
		t.Fatal(err)
	}
	open, _ := asking(t.Context(), b, confirm("Still?"))
	for range kept + 10 {
		id, _ := asking(t.Context(), b, confirm("And?"))
		b.Withdraw(id, "enough")
	}
	list, _ := b.List()
	if len(list) > kept+2 || list[0].ID != open {
		t.Errorf("%d questions, the first is %s", len(list), list[0].ID)
	}
	b.Withdraw(open, "enough")
}

// TestAnswerOutlivesItsRecord when a crowd of other questions has been asked since, and the one who waits is slow to look.
func TestAnswerOutlivesItsRecord(t *testing.T) {
	b, err := OpenStore("")
	if err != nil {
		t.Fatal(err)
	}
	q, ended, err := b.post(confirm("Still?"))
	if err != nil {
		t.Fatal(err)
	}
	for range kept + 1 {
		id, _ := asking(t.Context(), b, confirm("And?"))
		b.Withdraw(id, "enough")
	}
	if _, err := b.Answer(q.ID, protocol.QuestionReply{Choice: Yes}, "ui"); err != nil {
		t.Fatal(err)
	}
	last, _ := asking(t.Context(), b, confirm("One more?"))
	if _, known := b.Find(q.ID); known {
		t.Error("the record is still there, so this shows nothing")
	}
	if r := <-ended; r.State != protocol.QuestionAnswered || r.Reply.Choice != Yes {
		t.Errorf("%+v", r)
	}
	b.Withdraw(last, "enough")
}

// TestBoardFitsALine of the wire with as many and as long questions as it takes.
func TestBoardFitsALine(t *testing.T) {
	b, err := OpenStore("")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("\U0001F600", maxText+1)
	q := protocol.Question{Kind: protocol.SelectQuestion, Text: long, Details: long}
	for i := range 50 {
		q.Options = append(q.Options, protocol.QuestionOption{ID: fmt.Sprint(strings.Repeat("<", 97), 100+i), Label: long[:4*(maxLabel+1)]})
	}
	for range kept {
		_, _, err := b.post(q)
		var crowded *CrowdedError
		if errors.As(err, &crowded) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	list, _ := b.List()
	if line := protocol.AppendResponse(nil, &protocol.QuestionsResponse{Questions: list}); len(list) != maxOpen || len(line) > protocol.MaxLine {
		t.Errorf("%d questions in %d bytes", len(list), len(line))
	}
	b.Withdraw("1", "enough")
	if r, _ := b.Find("1"); len(r.Text) > 4*maxOver+10 {
		t.Errorf("%d bytes are kept of a text", len(r.Text))
	}
	if _, _, err := b.post(q); err != nil {
		t.Error(err)
	}
}

// TestBoardThatCannotBeKept takes an answer to what is open, which reaches the one who waits, and no further question.
func TestBoardThatCannotBeKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tidepool")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b, err := OpenStore(filepath.Join(dir, "questions.json"))
	if err != nil {
		t.Fatal(err)
	}
	id, outcome := asking(t.Context(), b, confirm("Deploy?"))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Answer(id, protocol.QuestionReply{Choice: Yes}, "ui"); err != nil {
		t.Errorf("an answer that counted: %v", err)
	}
	if a, err := outcome(); err != nil || a.By != User || a.Reply.Choice != Yes {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := b.Ask(t.Context(), confirm("And now?"), nil); err == nil {
		t.Error("asked")
	}
	if list, _ := b.List(); len(list) != 2 || list[0].State != protocol.QuestionWithdrawn {
		t.Errorf("%+v", list)
	}
}
