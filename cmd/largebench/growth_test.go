package main

import (
	"bytes"
	"flag"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden plot")

func power(e, c float64, lines ...float64) (points []point) {
	for _, n := range lines {
		points = append(points, point{n, c * math.Pow(n, e)})
	}
	return points
}

func TestExponent(t *testing.T) {
	e, c, ok := exponent(power(0.7, 3, 1e4, 5e4, 3e5, 6e6))
	if !ok || math.Abs(e-0.7) > 1e-9 || math.Abs(c-3) > 1e-6 {
		t.Errorf("got %v · lines^%v, %v", c, e, ok)
	}
	e, _, ok = exponent([]point{{10, 1}, {100, 20}, {1000, 100}}) // the middle one is off the line
	if !ok || math.Abs(e-1) > 1e-9 {
		t.Errorf("got %v, %v", e, ok)
	}
	for _, few := range [][]point{nil, {{10, 1}}, {{10, 1}, {10, 2}}} {
		if e, _, ok := exponent(few); ok {
			t.Errorf("%v has the exponent %v", few, e)
		}
	}
}

func TestPercentile(t *testing.T) {
	if got := percentile(nil, 50); got != 0 {
		t.Errorf("got %v of no times", got)
	}
	times := []time.Duration{5, 1, 4, 2, 3}
	if half, most := percentile(times, 50), percentile(times, 95); half != 3 || most != 5 {
		t.Errorf("got %d and %d", half, most)
	}
}

func TestPanels(t *testing.T) {
	measured := func(lines int, language string, of record) result {
		return result{size: size{language: language}, lines: lines, ours: of, bare: record{cold: []time.Duration{time.Second}}}
	}
	all := panels([]result{
		measured(10, "go", record{cold: []time.Duration{2 * time.Second}, used: usage{whole: 3 << 20}, callers: []time.Duration{4 * time.Millisecond}}),
		measured(100, "go", record{cold: []time.Duration{3 * time.Second}}), // cut short before the rest
		measured(50, "c", record{cold: []time.Duration{time.Second}}),
		{size: size{language: "go"}, problem: "not fetched"},
	}, "go")
	if len(all[0].ours) != 2 || len(all[0].bare) != 2 || len(all[1].ours) != 1 || len(all[2].bare) != 0 {
		t.Fatalf("got %v", all)
	}
	if all[0].ours[1] != (point{100, 3}) || all[1].ours[0] != (point{10, 3}) || all[2].ours[0] != (point{10, 4}) {
		t.Errorf("got %v", all)
	}
	if text := all[1].String(); !strings.HasSuffix(text, "exponent: tidepool unknown, bare server unknown") {
		t.Errorf("got %q", text)
	}
}

// The same numbers make the same plot, with the exponents beside the lines.
func TestPlotIsGolden(t *testing.T) {
	const golden = "testdata/plot.svg"
	lines := []float64{1.2e4, 4e4, 3.1e5, 1.9e6, 6.1e6}
	all := []panel{
		{"time", "seconds", power(0.5, 0.01, lines...), power(0.45, 0.012, lines...)},
		{"memory", "MB", power(0.4, 5, lines...), power(0.4, 4.5, lines...)},
		{"answer", "milliseconds", power(0.1, 1, lines[:1]...), nil},
	}
	got, err := drawPanels(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tidepool, exponent 0.50", "bare server, exponent 0.45", "lines of code"} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("the plot does not say %q", want)
		}
	}
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the plot is not %s (go test ./cmd/largebench -run Golden -update writes it), %v", golden, err)
	}
}

func TestPlotOfNothing(t *testing.T) {
	if svg, err := drawPanels(panels(nil, "go")); err != nil || !bytes.Contains(svg, []byte("</svg>")) {
		t.Errorf("%d bytes, %v", len(svg), err)
	}
}
