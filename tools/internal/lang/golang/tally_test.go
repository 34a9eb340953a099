package golang

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
)

func TestRunExpression(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"TestNew"}, "^TestNew$"},
		{[]string{"TestNew", "TestHelper"}, "^Test(New|Helper)$"},
		{[]string{"ExampleNew", "TestNew", "TestHelper"}, "^(ExampleNew|Test(New|Helper))$"},
		{[]string{"TestNew", "FuzzNew", "Test"}, "^(Test(New|)|FuzzNew)$"},
	} {
		if got := runExpression(c.names); got != c.want {
			t.Errorf("%q: %s, want %s", c.names, got, c.want)
		}
	}
}

// The expression of any tests selects them and no others.
func TestRunExpressionIsExact(t *testing.T) {
	var all []string
	for _, word := range []string{"Test", "Example", "Benchmark", "Fuzz", "Other"} {
		for _, rest := range []string{"", "_", "A", "AB", "B", "Test", "TestA", "Ä", "A_b", "1"} {
			all = append(all, word+rest)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		n := 1 + random.IntN(12)
		wanted, left := all[:n], all[n:]
		selected := regexp.MustCompile(runExpression(wanted)).MatchString
		if miss := slices.IndexFunc(wanted, func(name string) bool { return !selected(name) }); miss >= 0 || slices.ContainsFunc(left, selected) {
			t.Fatalf("%s for %q among %q", runExpression(wanted), wanted, all)
		}
	}
}
