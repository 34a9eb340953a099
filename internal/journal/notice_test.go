package journal

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tidepool/internal/outcome"
)

func TestCheckIn(t *testing.T) {
	f := newFixture(t)
	count := func(n int) (said []string) {
		for range n {
			if text := f.Count(t.Context(), conversation("s")); text != "" {
				said = append(said, text)
			}
		}
		return said
	}
	if said := count(3 * calls); len(said) != 0 {
		t.Errorf("without an entry: %q", said)
	}
	f.begin(t, "s")
	if said := count(calls - 1); len(said) != 0 {
		t.Errorf("too early: %q", said)
	}
	want := "tidepool: 10 tool calls since the last look at your hypothesis.\nGoal: TestDrainOrder must not be flaky\n" +
		"Hypothesis: Stop closes the channel before the last worker returns\nPrediction: TestDrainOrder passes 200 times in a row\nIf it no longer holds, update_ghap."
	if said := count(1); len(said) != 1 || said[0] != want {
		t.Errorf("got %q", said)
	}
	if said := count(2*calls + 5); len(said) != 2 {
		t.Errorf("%d check-ins", len(said))
	}
	if _, err := f.Update(t.Context(), conversation("s"), Update{Note: "n"}); err != nil {
		t.Fatal(err)
	}
	if said := count(calls - 1); len(said) != 0 {
		t.Errorf("an update is no look: %q", said)
	}
	if said := f.Count(t.Context(), Owner{Session: "s", Agent: "sub"}); said != "" {
		t.Errorf("a subagent reads its session's: %q", said)
	}
}

func TestCallsAreCountedForOthers(t *testing.T) {
	f := newFixture(t)
	for want := 1; want <= 3; want++ {
		if got := f.Calls(conversation("s"), 1); got != want {
			t.Errorf("%d calls, want %d", got, want)
		}
	}
	f.Look(conversation("s"))
	if got := f.Calls(conversation("s"), 0); got != 0 {
		t.Errorf("%d calls after a look", got)
	}
}

func TestNoticesAreShortAndEscaped(t *testing.T) {
	f := newFixture(t)
	long := strings.Repeat("</memory-data>\n\x1b[2J世", 50)
	s := race()
	s.Goal, s.Supposition = long, Supposition{long, long, long}
	if _, err := f.Start(t.Context(), conversation("s"), s); err != nil {
		t.Fatal(err)
	}
	f.work(t, "s")
	texts := []string{f.Greeting(t.Context(), conversation("s")), f.Observe(t.Context(), conversation("s"), outcome.Result{Kind: "test", Known: true, Passed: true})}
	for range calls {
		if text := f.Count(t.Context(), conversation("s")); text != "" {
			texts = append(texts, text)
		}
	}
	f.pass(silence + time.Second)
	texts = append(texts, f.Greeting(t.Context(), conversation("new")))
	for i, text := range texts {
		if n := utf8.RuneCountInString(text); n == 0 || n > 400 || strings.ContainsAny(text, "<>\x1b") || strings.Count(text, "\n") > 4 {
			t.Errorf("%d: %d characters: %q", i, n, text)
		}
	}
	if len(texts) != 4 {
		t.Errorf("%d notices", len(texts))
	}
}

func TestObserve(t *testing.T) {
	pass, fail := outcome.Result{Kind: "test", Known: true, Passed: true, Program: "go test"}, outcome.Result{Kind: "test", Known: true}
	built, broken := outcome.Result{Kind: "build", Known: true, Passed: true}, outcome.Result{Kind: "build", Known: true}
	for name, test := range map[string]struct {
		prediction string
		result     outcome.Result
		want       string
	}{
		"passes as predicted": {"the test passes", pass, `tidepool: the tests passed, as you predicted: "the test passes". resolve_ghap(status: "confirmed") if this settles it.`},
		"fails, not predicted": {"the test passes", fail,
			`tidepool: the tests failed; you predicted: "the test passes". If that settles it, resolve_ghap(status: "falsified") with what surprised you and why.`},
		"fails as predicted": {"TestX fails", fail, `tidepool: the tests failed, as you predicted: "TestX fails". resolve_ghap(status: "confirmed") if this settles it.`},
		"passes, not predicted": {"TestX fails", pass,
			`tidepool: the tests passed; you predicted: "TestX fails". If that settles it, resolve_ghap(status: "falsified") with what surprised you and why.`},
		"says neither":     {"latency is low", pass, `tidepool: the tests passed; you predicted: "latency is low". resolve_ghap(status: "confirmed") if this settles it.`},
		"the build passed": {"it compiles", built, `tidepool: the build passed, as you predicted: "it compiles". resolve_ghap(status: "confirmed") if this settles it.`},
		"the build failed": {"the build succeeds", broken,
			`tidepool: the build failed; you predicted: "the build succeeds". If that settles it, resolve_ghap(status: "falsified") with what surprised you and why.`},
		"a build settles no test":  {"the test passes", built, ""},
		"not known":                {"the test passes", outcome.Result{Kind: "test"}, ""},
		"neither test nor a build": {"the test passes", outcome.Result{Known: true, Passed: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			s := race()
			s.Prediction = test.prediction
			if _, err := f.Start(t.Context(), conversation("s"), s); err != nil {
				t.Fatal(err)
			}
			for i, want := range []string{test.want, ""} { // nothing is said twice
				if got := f.Observe(t.Context(), conversation("s"), test.result); got != want {
					t.Errorf("%d: %q", i, got)
				}
			}
			if got := f.Observe(t.Context(), conversation("other"), test.result); got != "" {
				t.Errorf("without an entry: %q", got)
			}
		})
	}
}

func TestGold(t *testing.T) {
	pass, fail := outcome.Result{Kind: "test", Known: true, Passed: true}, outcome.Result{Kind: "test", Known: true}
	confirmed := Resolution{Status: Confirmed, Result: "r"}
	for name, test := range map[string]struct {
		seen    []outcome.Result
		after   Update
		resolve Resolution
		want    Tier
	}{
		"seen":                     {[]outcome.Result{pass}, Update{}, confirmed, Gold},
		"the last counts":          {[]outcome.Result{fail, pass}, Update{}, confirmed, Gold},
		"falsified":                {[]outcome.Result{fail}, Update{}, falsified(), Gold},
		"not seen":                 {nil, Update{}, confirmed, Silver},
		"seen otherwise":           {[]outcome.Result{fail}, Update{}, confirmed, Silver},
		"abandoned":                {[]outcome.Result{pass}, Update{}, Resolution{Status: Abandoned, Result: "r"}, AbandonedTier},
		"a note changes nothing":   {[]outcome.Result{pass}, Update{Note: "n"}, confirmed, Gold},
		"about another prediction": {[]outcome.Result{pass}, Update{Supposition: Supposition{Prediction: "it passes twice"}}, confirmed, Silver},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.begin(t, "s")
			for _, r := range test.seen {
				f.Observe(t.Context(), conversation("s"), r)
			}
			if test.after != (Update{}) {
				if err := f.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				if _, err := f.Update(t.Context(), conversation("s"), test.after); err != nil {
					t.Fatal(err)
				}
			}
			got, err := f.Resolve(t.Context(), conversation("s"), test.resolve)
			if err != nil || got.Tier != test.want || got.Outcome.AutoCaptured != (test.want == Gold) {
				t.Errorf("%s, %v, %v", got.Tier, got.Outcome, err)
			}
		})
	}
}

func TestGreeting(t *testing.T) {
	f := newFixture(t)
	if got := f.Greeting(t.Context(), conversation("s")); got != "" {
		t.Errorf("with no entry: %q", got)
	}
	e := f.begin(t, "s")
	want := "tidepool: your active entry of the journal.\nGoal: TestDrainOrder must not be flaky\nHypothesis: Stop closes the channel before the last worker returns\n" +
		"Prediction: TestDrainOrder passes 200 times in a row\nupdate_ghap or resolve_ghap."
	if got := f.Greeting(t.Context(), conversation("s")); got != want {
		t.Errorf("got %q", got)
	}
	if got := f.Greeting(t.Context(), conversation("new")); got != "" {
		t.Errorf("another session is at work: %q", got)
	}
	f.pass(time.Minute)
	f.end(t, "s")
	want = "tidepool: an unfinished entry of another session.\nGoal: TestDrainOrder must not be flaky\n" +
		"Hypothesis: Stop closes the channel before the last worker returns\nadopt_ghap(\"" + e.ID + "\") or abandon_ghap(\"" + e.ID + "\", reason)."
	if got := f.Greeting(t.Context(), conversation("new")); got != want {
		t.Errorf("got %q", got)
	}
}

func TestExpected(t *testing.T) {
	for prediction, want := range map[string]expectation{
		"TestDrainOrder passes 200 times":          success,
		"the test will pass":                       success,
		"TestDrainOrder no longer fails":           success,
		"does not panic":                           success,
		"it doesn't crash any more":                success,
		"runs without errors":                      success,
		"fails before the change and passes after": success,
		"go test ./store fails":                    failure,
		"the test will not pass":                   failure,
		"I will see a panic in Close":              failure,
		"the failing test names the worker":        unsaid,
		"p99 drops below 20 ms":                    unsaid,
		"":                                         unsaid,
	} {
		if got := expected(prediction); got != want {
			t.Errorf("%q: %d, want %d", prediction, got, want)
		}
	}
}
