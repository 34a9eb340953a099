package lsp

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A caller that ends soon still gets an answer: what is known by then. So does one for whom looking at the disk has taken long.
func TestBudgetEndsBeforeTheCaller(t *testing.T) {
	for _, test := range []struct{ left, spent, budget, want time.Duration }{
		{0, 0, 8 * time.Second, 8 * time.Second}, // the caller has no end
		{time.Minute, 0, 8 * time.Second, 8 * time.Second},
		{time.Minute, 0, time.Hour, 58 * time.Second},
		{2 * time.Second, 0, 8 * time.Second, time.Second},
		{time.Minute, 0, -1, -1},
		{0, time.Second, 8 * time.Second, 7 * time.Second},
		{time.Minute, 7 * time.Second, 8 * time.Second, 4 * time.Second},
		{2 * time.Second, 7 * time.Second, 8 * time.Second, time.Second},
		{0, time.Second, -1, -1},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, begin := t.Context(), time.Now()
			time.Sleep(test.spent)
			if test.left > 0 {
				bounded, cancel := context.WithTimeout(ctx, test.left)
				defer cancel()
				ctx = bounded
			}
			if got := remaining(ctx, test.budget, begin); got != test.want {
				t.Errorf("%v left, %v spent, budget %v: got %v, want %v", test.left, test.spent, test.budget, got, test.want)
			}
		})
	}
}
