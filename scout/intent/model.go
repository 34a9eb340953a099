package intent

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Model is what training yields: for each feature a weight for each kind.
type Model struct {
	kinds   []string
	source  string               // fingerprint of what it was trained on
	weights map[string][]float64 // feature to one weight per kind
}

// score adds up the weights of features for each kind.
func (m *Model) score(found []feature) []float64 {
	sums := make([]float64, len(m.kinds))
	for _, f := range found {
		for k, w := range m.weights[f.name] {
			sums[k] += w
		}
	}
	return sums
}

// softmax makes probabilities of sums, in place.
func softmax(sums []float64) []float64 {
	top, total := slices.Max(sums), 0.0
	for i, s := range sums {
		sums[i] = math.Exp(s - top)
		total += sums[i]
	}
	for i := range sums {
		sums[i] /= total
	}
	return sums
}

// ParseModel reads what [Model.WriteTo] wrote.
func ParseModel(r io.Reader) (*Model, error) {
	m := &Model{weights: make(map[string][]float64)}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		name, list, _ := strings.Cut(lines.Text(), "\t")
		fields := strings.Fields(list)
		switch n {
		case 1:
			m.kinds = fields
			continue
		case 2:
			m.source = strings.TrimSpace(list)
			continue
		}
		if len(fields) != len(m.kinds) {
			return nil, fmt.Errorf("line %d has %d weights for %d kinds", n, len(fields), len(m.kinds))
		}
		row := make([]float64, len(fields))
		for i, field := range fields {
			hundredths, err := strconv.Atoi(field)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			row[i] = float64(hundredths) / 100
		}
		m.weights[name] = row
	}
	return m, lines.Err()
}

const negligible = 2 // hundredths

// WriteTo writes the kinds, what they were learned from, then a line per feature: its name and its weights in
// hundredths. Features that weigh next to nothing are left out.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	b.WriteString("kinds\t" + strings.Join(m.kinds, " ") + "\nsource\t" + m.source + "\n")
	for _, name := range slices.Sorted(maps.Keys(m.weights)) {
		var row []string
		weighs := false
		for _, weight := range m.weights[name] {
			hundredths := int(math.Round(100 * weight))
			weighs = weighs || hundredths < -negligible || hundredths > negligible
			row = append(row, strconv.Itoa(hundredths))
		}
		if weighs {
			b.WriteString(name + "\t" + strings.Join(row, " ") + "\n")
		}
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
