package peer

import (
	"os"
	"testing"
)

func BenchmarkConfinement(b *testing.B) {
	confined := Confinement()
	for b.Loop() {
		if err := confined(os.Getppid()); err != nil {
			b.Fatal(err)
		}
	}
}
