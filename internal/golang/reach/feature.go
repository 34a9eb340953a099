package reach

import "math"

// A feature is one thing that speaks for or against a test.
type feature int

// The features. Words weigh the more, the fewer tests have them.
const (
	constant       feature = iota
	steps                  // to the function
	entries                // of literals: how many cases the test goes through; a logarithm
	beside                 // the test stands in the same directory
	example                // it is an example
	fuzz                   // it is a fuzz test
	reads                  // it reads files
	nameShare              // of the words of the function's name, those that the test has
	nameSum                // their weight; a logarithm
	titleShare             // those that the name of the test has
	titleSum               // their weight; a logarithm
	bodyShare              // of the words of the function's body, those that the test has
	bodyMost               // the weight of the rarest
	aroundMost             // that of the rarest word of the names of what uses the function
	aroundTitle            // of those, the share that the name of the test has
	candidates             // how many tests can run the function; a logarithm
	candidateShare         // of all tests
	featureCount
)

// Features are what speaks for and against a test, one number each.
type Features [featureCount]float64

// Chance returns the logistic function of the features' sum with weights.
func (x *Features) Chance(weights Features) float64 {
	sum := 0.0
	for i, value := range x {
		sum += value * weights[i]
	}
	return 1 / (1 + math.Exp(-sum))
}

// weights were fitted by logistic regression to which of the tests of seven public modules run which of their functions,
// as the coverage of each test run alone says: for the 1,435 functions that 3 to 15 tests run. Without a module's own tests
// they find those of its functions with an F1 of 0.60, mean over the modules, from 0.41 of a parser to 0.77 of a router. The
// command is go run ./cmd/train/reach, with the directories of modules.
var weights = Features{
	constant: 3.14, steps: -0.07, entries: 0.11, beside: 0.08, example: 0.04,
	fuzz: 0.57, reads: 0.75, nameShare: 0.34, nameSum: 0.32, titleShare: 0.14,
	titleSum: 0.48, bodyShare: 0.46, bodyMost: 0.24, aroundMost: 0.26, aroundTitle: 0.59,
	candidates: -1.5, candidateShare: 1.25,
}
