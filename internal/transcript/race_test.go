//go:build race

package transcript

// raceDetector reports whether the race detector watches the tests.
const raceDetector = true
