//go:build !race

package scrub

// raceDetector reports whether the race detector watches the tests.
const raceDetector = false
