package text

import (
	"os"
	"unsafe"
)

// ReadFile returns the text of a file. Unlike a conversion of what os.ReadFile returns it does not copy it: a generated file may have
// some megabytes.
func ReadFile(path string) (string, error) {
	data, err := os.ReadFile(path)
	return unsafe.String(unsafe.SliceData(data), len(data)), err // nobody else has data, and it is not written to
}
