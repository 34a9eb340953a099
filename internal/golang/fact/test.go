package fact

// A Test is a test, example or fuzz test that may run a function.
type Test struct {
	*Function
	Chance float64 // that it does, from 0 to 1, estimated
	Steps  int     // from one declaration to the next until the function is run; 1: the test uses it; 0: unknown
	Sure   bool    // a package that the test uses runs the function before all else
}

// Worthwhile returns how many of the tests, from the front, are worth running: as many as make the best of what is run for
// nothing and what is missed, if the chances are right; and no more than most.
func Worthwhile(tests []Test, most int) int {
	all := 0.0
	for _, t := range tests {
		all += t.Chance
	}
	best, count, sum := 0.0, 0, 0.0
	for i, t := range tests[:min(most, len(tests))] {
		sum += t.Chance
		if f := 2 * sum / (float64(i+1) + all); f > best {
			best, count = f, i+1
		}
	}
	return count
}
