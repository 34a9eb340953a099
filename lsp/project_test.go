package lsp

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A caller that ends soon still gets an answer: what is known by then.
func TestBudgetEndsBeforeTheCaller(t *testing.T) {
	for _, test := range []struct{ left, budget, want time.Duration }{
		{0, 8 * time.Second, 8 * time.Second}, // the caller has no end
		{time.Minute, 8 * time.Second, 8 * time.Second},
		{time.Minute, time.Hour, 58 * time.Second},
		{2 * time.Second, 8 * time.Second, time.Second},
		{time.Minute, -1, -1},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx := t.Context()
			if test.left > 0 {
				bounded, cancel := context.WithTimeout(ctx, test.left)
				defer cancel()
				ctx = bounded
			}
			if got := leaveTime(ctx, test.budget); got != test.want {
				t.Errorf("%v left, budget %v: got %v, want %v", test.left, test.budget, got, test.want)
			}
		})
	}
}
