package learned

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"tidepool/scout"
)

// A Model is what training yields: a weight for each feature, and the kinds of
// change that it has seen.
type Model struct {
	kinds   map[scout.ChangeKind]bool
	weights map[string]float64
}

// An Example is an edge that a walk came to, and whether its place then failed to
// compile.
type Example struct {
	Kind   scout.ChangeKind
	Edge   scout.Edge
	Breaks bool
	Weight float64 // how much it counts; 0: 1
}

// What training does.
const (
	rounds = 400
	step   = 0.3
	decay  = 0.001 // of every weight, in each round: the price of a large one
	fewest = 5     // a feature of fewer examples is chance
)

// Train fits a model to examples by descent along the gradient of the log
// likelihood of all of them at once, so that the same examples give the same
// weights.
func Train(examples []Example) *Model {
	m := &Model{kinds: make(map[scout.ChangeKind]bool), weights: make(map[string]float64)}
	shown := make(map[string]int)
	lists := make([][]feature, len(examples))
	for i, e := range examples {
		m.kinds[e.Kind] = true
		lists[i] = featuresOf(e.Kind, e.Edge)
		for _, f := range lists[i] {
			shown[f.name]++
		}
	}
	for name, n := range shown {
		if n >= fewest {
			m.weights[name] = 0
		}
	}
	speed := make(map[string]float64)
	for range rounds {
		m.descend(speed, m.gradient(examples, lists))
	}
	return m
}

// gradient of the log likelihood, the mean over the examples.
func (m *Model) gradient(examples []Example, lists [][]feature) map[string]float64 {
	g := make(map[string]float64, len(m.weights))
	for i, e := range examples {
		weight := e.Weight
		if weight == 0 {
			weight = 1
		}
		miss := weight * (yes(e.Breaks) - m.probability(lists[i])) / float64(len(examples))
		for _, f := range lists[i] {
			g[f.name] += miss * f.value
		}
	}
	return g
}

// descend takes a step, shorter the further a weight has come.
func (m *Model) descend(speed, g map[string]float64) {
	for name, w := range m.weights {
		d := g[name] - decay*w
		speed[name] += d * d
		m.weights[name] = w + step*d/(math.Sqrt(speed[name])+1e-8)
	}
}

func (m *Model) probability(list []feature) float64 {
	sum := 0.0
	for _, f := range list {
		sum += m.weights[f.name] * f.value
	}
	return 1 / (1 + math.Exp(-sum))
}

// WriteTo writes the kinds, then a line per feature and its weight in hundredths.
// Features that weigh nothing are left out.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	b.WriteString("kinds")
	for _, kind := range slices.Sorted(maps.Keys(m.kinds)) {
		b.WriteString("\t" + string(kind))
	}
	b.WriteByte('\n')
	for _, name := range slices.Sorted(maps.Keys(m.weights)) {
		if hundredths := int(math.Round(100 * m.weights[name])); hundredths != 0 {
			fmt.Fprintf(&b, "%s\t%d\n", name, hundredths)
		}
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// ParseModel reads what [Model.WriteTo] wrote.
func ParseModel(r io.Reader) (*Model, error) {
	m := &Model{kinds: make(map[scout.ChangeKind]bool), weights: make(map[string]float64)}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if n == 1 {
			for _, text := range fields[1:] {
				kind, err := scout.ParseChangeKind(text)
				if err != nil {
					return nil, fmt.Errorf("line 1: %w", err)
				}
				m.kinds[kind] = true
			}
			continue
		}
		hundredths, err := strconv.Atoi(fields[len(fields)-1])
		if err != nil || len(fields) != 2 {
			return nil, fmt.Errorf("line %d is no feature and its weight", n)
		}
		m.weights[fields[0]] = float64(hundredths) / 100
	}
	return m, lines.Err()
}
