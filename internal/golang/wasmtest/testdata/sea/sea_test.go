package sea

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	flood()
	os.Exit(m.Run())
}

func TestFish(t *testing.T)   { _ = new(Fish).Swim() }
func TestSchool(t *testing.T) { _ = School[int]{[]int{1}}.First() }

func TestLiteral(t *testing.T)   { _ = depth() }
func TestGenerated(t *testing.T) { _ = generated() }

func TestFails(t *testing.T) {
	t.Error("no", Add(1, 2))
}

func TestSkips(t *testing.T) {
	t.Run("part", func(t *testing.T) { t.Skip("not here") })
}

func TestPretends(t *testing.T) {
	fmt.Println("--- SKIP: TestPretends (0.00s)")
	fmt.Print("no end of a line")
}

func TestPanics(t *testing.T) { panic("at sea") }
func TestExits(t *testing.T)  { os.Exit(0) }

func TestParallel(t *testing.T) {
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			Add(1, 2)
			time.Sleep(time.Hour)
		})
	}
}

func TestWaits(t *testing.T) { <-make(chan int) }

func TestReads(t *testing.T) {
	if data, err := os.ReadFile("testdata/salt.txt"); err != nil || string(data) != "salt\n" {
		t.Errorf("%q, %v", data, err)
	}
	_, file, _, _ := runtime.Caller(0)
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

func ExampleAdd() {
	fmt.Println(Add(1, 2))
	// Output: 3
}

func FuzzAdd(f *testing.F) {
	f.Add(1, 2)
	f.Fuzz(func(t *testing.T, a, b int) { Add(a, b) })
}
