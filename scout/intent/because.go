package intent

import (
	"cmp"
	"slices"
	"strings"
)

const (
	maxReasons = 3
	worthwhile = 0.4 // what a token must add to a kind to be named
)

// because names the words that speak most for a kind, those that stand together
// as one phrase, and what the symbol is if that speaks for it.
func (m *Model) because(found []feature, list []token, kind int, class Class) []string {
	says := make([]float64, len(list))
	symbol := 0.0
	for _, f := range found {
		row := m.weights[f.name]
		if row == nil || f.name == "bias" {
			continue
		}
		w := row[kind] - mean(row)
		if f.from < 0 || strings.HasSuffix(f.name, " of "+string(class)) {
			symbol += w
		}
		if f.from < 0 {
			continue
		}
		says[f.from] += w / 2
		says[f.to] += w / 2
	}
	reasons := phrases(list, says)
	if class != Unknown && symbol > worthwhile {
		reasons = append(reasons, "it is "+indefinite(string(class)))
	}
	return reasons
}

func mean(row []float64) float64 {
	total := 0.0
	for _, w := range row {
		total += w
	}
	return total / float64(len(row))
}

// phrases returns the words that say most, quoted: neighbours together, in order of
// what they say.
func phrases(list []token, says []float64) []string {
	type phrase struct {
		text string
		says float64
	}
	var all []phrase
	for i := 0; i < len(list); {
		if says[i] < worthwhile || list[i].word == markSymbol {
			i++
			continue
		}
		p := phrase{text: list[i].text, says: says[i]}
		for i++; i < len(list) && says[i] >= worthwhile && list[i].word != markSymbol && !list[i-1].stops; i++ {
			p.text, p.says = p.text+" "+list[i].text, p.says+says[i]
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b phrase) int { return cmp.Compare(b.says, a.says) })
	var reasons []string
	for _, p := range all[:min(len(all), maxReasons)] {
		reasons = append(reasons, "'"+p.text+"'")
	}
	return reasons
}

func indefinite(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}
