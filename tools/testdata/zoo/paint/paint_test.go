package paint

import "testing"

type fakeStore struct{}

func (fakeStore) Area() float64 { return 1 }

func TestNew(t *testing.T) {
	New().Fill()
}

func ExampleNew() {
	New()
}

func helper() *Canvas { return New() }

func TestHelper(t *testing.T) { helper() }
