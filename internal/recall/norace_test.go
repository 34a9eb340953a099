//go:build !race

package recall

// raceDetector reports whether the race detector watches the tests.
const raceDetector = false
