package goreach

import "math"

// A feature is one thing that speaks for or against a test.
type feature int

const (
	one         feature = iota
	odds                // of the chance by the ways, as a logarithm
	likely              // that of the likeliest single way
	steps               //
	size                // how many declarations the test may run, all as logarithms from here
	sites               // how many places in it use something
	rows                // entries of literals
	text                // bytes of texts
	vocabulary          // words
	beside              // the test stands in the same directory
	example             //
	fuzz                //
	reads               // the test reads files
	nameShare           // of the words of the function's name, weighed by how rare they are, that the test has
	nameSum             // the weight of those
	titleShare          // that the name of the test has
	titleSum            //
	receiver            // of the name of the function's receiver
	bodyShare           // of the function's body
	bodySum             //
	bodyMost            // the weight of the rarest that the test has
	aroundShare         // of the names of what uses the function
	aroundSum           //
	aroundMost          //
	aroundTitle         //
	signShare           // of the characters in the function's texts that are neither letters nor digits
	signSum             //
	signMost            //
	candidates          // how many tests can run the function
	share               // of all tests
	oddsBelow           // compared with the best of them
	likelyBelow         //
	stepsAbove          //
	nameBelow           //
	featureCount
)

type features [featureCount]float64

// weights say how much each feature counts.
var weights = features{
	one: 2.993, odds: 0.096, likely: 0.126, steps: 0.016, size: -0.078, sites: 0.027,
	rows: 0.098, text: 0.053, vocabulary: 0.234, beside: 0.114, example: 0.322, fuzz: -0.286,
	reads: 1.031, nameShare: 0.224, nameSum: 0.344, titleShare: 0.482, titleSum: 0.51, receiver: 0.253,
	bodyShare: 0.423, bodySum: -0.312, bodyMost: 0.451, aroundShare: 0.307, aroundSum: -0.044, aroundMost: 0.177,
	aroundTitle: 0.355, candidates: -1.698, share: 1.226, oddsBelow: 0.018, likelyBelow: 0.275, stepsAbove: 0.059,
	nameBelow: 0.058,
}

// chance is the logistic function of the weighed sum.
func (x *features) chance() float64 {
	z := 0.0
	for i, value := range x {
		z += value * weights[i]
	}
	return 1 / (1 + math.Exp(-z))
}
