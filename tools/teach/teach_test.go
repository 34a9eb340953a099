package teach

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"tidepool/lsp"
	"tidepool/teach"
	teachgemma "tidepool/teach/gemma"
	"tidepool/tools"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

func newTeach(c toolstest.Tree) *Toolset {
	return &Toolset{Project: c.Project, Root: c.Root, Memory: new(lang.Memory), Selector: teach.Heuristic{}}
}

func taughtBy(t *testing.T, c toolstest.Tree, topic string, seeds ...string) *Output {
	t.Helper()
	out, err := newTeach(c).TeachGraph(t.Context(), tools.Call{}, Input{Topic: topic, Seeds: seeds, Budget: 20})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What is taught of the projects of testdata, each by its own language server. The questions stand before the answers in
// testdata/teach.answers.txtar: language, topic, seeds. Run it with -update to write the answers anew, and read each line
// that changes.
func TestTeachGraph(t *testing.T) {
	served := map[string]toolstest.Tree{"go": zoo}
	archives := map[string]string{"typescript": "typescript", "python": "python", "c": "clang"}
	toolstest.CompareAnswers(t, "testdata/teach.answers.txtar", func(question string) string {
		part := strings.Split(question, " | ")
		if _, ok := served[part[0]]; !ok {
			served[part[0]] = toolstest.ServeFile(t, part[0], archives[part[0]])
		}
		return taughtBy(t, served[part[0]], part[1], strings.Split(part[2], ",")...).Text()
	})
}

func TestTeachGraphSeeds(t *testing.T) {
	out := taughtBy(t, zoo, "how do animals sound", "Sound", "NoSuchThing", "zoo.Feed")
	if len(out.Core) != 1 || out.Core[0].Symbol.Name != "Feed" {
		t.Errorf("core is %+v", out.Core)
	}
	if s := out.Seeds; len(s) != 3 || len(s[0].Candidates) < 2 || s[0].Problem == "" || s[1].Problem == "" || s[2].Problem != "" {
		t.Errorf("seeds are %+v", s)
	}
	if out.Warning == nil || !strings.Contains(out.Text(), "Sound is ambiguous") || !strings.Contains(out.Text(), "NoSuchThing") {
		t.Errorf("the text does not say what the names mean:\n%s", out.Text())
	}
	out = taughtBy(t, zoo, "nothing", "NoSuchThing")
	if len(out.Core)+len(out.Prereqs)+len(out.Support) != 0 || out.Diagram != "" || !strings.HasPrefix(out.Text(), "not found") {
		t.Errorf("a document without seeds: %s", out.Text())
	}
}

func TestTeachGraphErrors(t *testing.T) {
	in := Input{Topic: "how does an animal sound", Seeds: query.Names{"zoo.listen"}}
	none := errors.New("the model is away")
	toolset := newTeach(zoo)
	toolset.Selector = teachgemma.Unusable{Model: "m", Err: none}
	if _, err := toolset.TeachGraph(t.Context(), tools.Call{}, in); !errors.Is(err, none) {
		t.Errorf("without a selector: %v", err)
	}
	if _, err := (&Toolset{Project: zoo.Project}).TeachGraph(t.Context(), tools.Call{}, in); err == nil {
		t.Error("no error without a source of selectors")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newTeach(zoo).TeachGraph(ctx, tools.Call{}, in); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call gives %v", err)
	}
	var advice interface{ Hint() string }
	if _, err := newTeach(zoo).TeachGraph(t.Context(), tools.Call{}, Input{Topic: "food"}); !errors.As(err, &advice) || advice.Hint() == "" {
		t.Errorf("without seeds: %v", err)
	}
}

// A call that has spent its requests says so.
func TestTeachGraphIsBounded(t *testing.T) {
	view, err := tools.Look(t.Context(), tools.Call{}, zoo.Project, tools.Wait{})
	if err != nil {
		t.Fatal(err)
	}
	c := &codeSource{Query: new(lang.Memory).Query(view, zoo.Root, lang.Options{}), maxRequests: 1}
	out, err := c.teach(t.Context(), tools.Call{}, Input{Topic: "how does an animal sound", Seeds: query.Names{"zoo.listen"}}, teach.Heuristic{})
	if err != nil || out.Completeness.State != lsp.Partial || !strings.Contains(out.Text(), "after 1 requests nothing more was followed") {
		t.Errorf("%v %s", err, out.Text())
	}
}

// A caller that hangs up in the middle stops the exploration.
func TestTeachGraphIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	call := tools.Call{Progress: func(p tools.Progress) {
		if p.Total > 0 {
			told++
			cancel()
		}
	}}
	_, err := newTeach(zoo).TeachGraph(ctx, call, Input{Topic: "sound", Seeds: query.Names{"zoo.listen"}, Budget: 20})
	if !errors.Is(err, context.Canceled) || told != 1 {
		t.Errorf("%v after %d reports", err, told)
	}
}

// A forgetful selector answers the first question only.
type forgetful struct {
	teach.Heuristic
	asked int
}

func (f *forgetful) Select(ctx context.Context, q teach.Question) ([]int, error) {
	if f.asked++; f.asked > 1 {
		return nil, errors.New("the model called no tool")
	}
	return f.Heuristic.Select(ctx, q)
}

// Rules do not stand in for a model that fails: what it has not answered is counted.
func TestTeachGraphSaysWhatTheSelectorFailedOn(t *testing.T) {
	toolset := newTeach(zoo)
	toolset.Selector = &forgetful{}
	out, err := toolset.TeachGraph(t.Context(), tools.Call{}, Input{Topic: "how does an animal sound", Seeds: query.Names{"zoo.listen"}, Budget: 20})
	if err != nil {
		t.Fatal(err)
	}
	if out.LeftOut.Unselected == 0 || !strings.Contains(out.Text(), "without an answer of the selector") || !strings.Contains(out.Text(), "the model called no tool") {
		t.Errorf("%+v\n%s", out.LeftOut, out.Text())
	}
	if len(out.units) > 6 {
		t.Errorf("%d units of one answer of at most five", len(out.units))
	}
}

// Calls at the same time do not disturb each other.
func TestTeachGraphConcurrently(t *testing.T) {
	toolset := newTeach(zoo)
	ask := func() (string, error) {
		out, err := toolset.TeachGraph(t.Context(), tools.Call{}, Input{Topic: "how does an animal sound", Seeds: query.Names{"zoo.listen"}, Budget: 20})
		if err != nil {
			return "", err
		}
		return out.Text(), nil
	}
	first, err := ask()
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for range 6 {
		running.Go(func() {
			if again, err := ask(); err != nil || again != first {
				t.Errorf("%v\n%s", err, again)
			}
		})
	}
	running.Wait()
}
