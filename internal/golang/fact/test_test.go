package fact

import "testing"

func TestWorthwhile(t *testing.T) {
	for _, tt := range []struct {
		chances []float64
		most    int
		want    int
	}{
		{nil, 5, 0},
		{[]float64{1, 1, 1}, 5, 3},
		{[]float64{1, 1, 1}, 2, 2},
		{[]float64{0.9, 0.8, 0.1, 0.05}, 5, 2},
		{[]float64{0.3, 0.3, 0.3, 0.3}, 5, 4},
		{[]float64{0.9, 0.2, 0.2, 0.2, 0.2}, 5, 1},
	} {
		var tests []Test
		for _, chance := range tt.chances {
			tests = append(tests, Test{Chance: chance})
		}
		if got := Worthwhile(tests, tt.most); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.chances, got, tt.want)
		}
	}
}
