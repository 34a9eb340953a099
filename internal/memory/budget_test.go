package memory

import (
	"errors"
	"strings"
	"testing"
)

func TestHalfOf(t *testing.T) {
	for _, test := range []struct {
		name      string
		room      Room
		own       int64
		err       error
		megabytes int64
		reason    string
	}{
		{"a machine", Room{Bytes: 8000 << 20, From: "x"}, 40 << 20, nil, 4020, "half of the 8040 MB available by x"},
		{"hardly anything is left", Room{Bytes: 100 << 20, From: "x"}, 20 << 20, nil, 256, "the least that is of use: 120 MB are available by x"},
		{"nothing is left", Room{From: "x"}, 0, nil, 256, "0 MB are available"},
		{"nobody knows", Room{}, 40 << 20, errors.New("no such file"), 0, "not known: no such file"},
	} {
		got := HalfOf(test.room, test.own, test.err)
		if got.Bytes != test.megabytes<<20 || !strings.Contains(got.Reason, test.reason) {
			t.Errorf("%s: %d MB, %q; want %d MB, %q", test.name, got.Bytes>>20, got.Reason, test.megabytes, test.reason)
		}
	}
}

func TestBudgetNow(t *testing.T) {
	if got := BudgetNow(t.Context(), 7<<20); got.Bytes != 7<<20 || got.Reason != "as set" {
		t.Errorf("set: %+v", got)
	}
	if got := BudgetNow(t.Context(), 0); got.Bytes < leastBudget || !strings.Contains(got.Reason, " MB ") {
		t.Errorf("not set: %+v", got)
	}
}
