package fulltext

import "math"

// MaxFields bounds the fields of a document.
const MaxFields = 8

// A Field is the index of a field in Weights and in the fields of a document.
type Field int

// Weights says how much the fields of a document count. Weight and Length are of one length, 1 to [MaxFields].
type Weights struct {
	Weight []float64 // of a word that occurs once in the field, ≥ 0
	Length []float64 // how much a long field takes from its words: 0, nothing, to 1, in proportion
	K1     float64   // > 0; how soon a word that is repeated counts no more: the smaller, the sooner
}

func (w Weights) check() {
	if len(w.Weight) == 0 || len(w.Weight) > MaxFields || len(w.Weight) != len(w.Length) || w.K1 <= 0 {
		panic("fulltext: Weights need 1 to 8 fields with a weight and a length constant each, and a K1 above 0")
	}
}

// idf returns what a term counts that n of total documents have.
func idf(total, n int) float64 {
	return math.Log(1 + (float64(total)-float64(n)+0.5)/(float64(n)+0.5))
}

// norms say what the words of a field count at each of its lengths: weight / (1 − b + b · length/average).
type norms struct {
	weight, base, slope [MaxFields]float64
	k1                  float64

	// once is what a single occurrence in a field counts after the saturation, by the field's length: two of three postings are of one.
	once [MaxFields][maxShort]float64
}

// maxShort is above the lengths of fields that norms have in a table, in words.
const maxShort = 128

// newNorms prepares the weights for an index of so many documents, whose fields have these lengths together.
func newNorms(w Weights, docs int, lengths []uint64) *norms {
	n := &norms{k1: w.K1}
	for f, weight := range w.Weight {
		n.weight[f] = weight
		n.base[f] = 1
		if lengths[f] > 0 && docs > 0 {
			n.base[f] = 1 - w.Length[f]
			n.slope[f] = w.Length[f] * float64(docs) / float64(lengths[f])
		}
		for length := range n.once[f] {
			n.once[f][length] = n.saturate(n.count(f, 1, uint16(max(length, 1))))
		}
	}
	return n
}

func (n *norms) count(field int, count, length uint16) float64 {
	return n.weight[field] * float64(count) / (n.base[field] + n.slope[field]*float64(length))
}

func (n *norms) saturate(sum float64) float64 { return sum / (n.k1 + sum) }

// saturated returns what the occurrences of a term in a document count, below 1. The document was read, and its counts were not.
func (n *norms) saturated(p *postings, lengths []uint16) float64 {
	if p.form < several && lengths[p.form] < maxShort {
		return n.once[p.form][lengths[p.form]]
	}
	if !p.readCounts() {
		return 0
	}
	sum := 0.0
	for f := range lengths {
		if count := p.counts[f]; count > 0 {
			sum += n.count(f, count, lengths[f])
		}
	}
	return n.saturate(sum)
}

// only returns the weights with 0 for all fields but some. nil: all count.
func (w Weights) only(fields []Field) Weights {
	if fields == nil {
		return w
	}
	some := make([]float64, len(w.Weight))
	for _, f := range fields {
		some[f] = w.Weight[f]
	}
	w.Weight = some
	return w
}
