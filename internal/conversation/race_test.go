//go:build race

package conversation

// raceDetector reports whether the race detector watches the tests.
const raceDetector = true
