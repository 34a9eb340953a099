package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain is the program whose steps Run starts, too.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && !strings.HasPrefix(os.Args[1], "-") {
		if err := Serve(context.Background(), steps(os.Args[1]), os.Args[2], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func steps(name string) Step {
	return func(_ context.Context, dir string) (Figures, error) {
		if name == "failing" {
			return nil, errors.New("a step that fails, as the test wants")
		}
		return Figures{"pid": time.Duration(os.Getpid()), "name": time.Duration(len(dir)), "cpu": CPU()}, nil
	}
}

func TestRunHasAProcessOfItsOwn(t *testing.T) {
	f, err := Run(t.Context(), "working", "four")
	if err != nil {
		t.Fatal(err)
	}
	if f["name"] != 4 || f["pid"] == time.Duration(os.Getpid()) || f["cpu"] <= 0 {
		t.Error(f)
	}
	if f, err := Run(t.Context(), "failing", "x"); err == nil || !strings.HasPrefix(err.Error(), "failing: ") {
		t.Errorf("%v, %v", f, err)
	}
}

func TestPercentile(t *testing.T) {
	var times []time.Duration
	for i := range 100 {
		times = append(times, time.Duration(100-i))
	}
	for p, want := range map[int]time.Duration{0: 1, 50: 51, 99: 100, 100: 100} {
		if got := Percentile(times, p); got != want {
			t.Errorf("%d%%: %d, want %d", p, got, want)
		}
	}
}
