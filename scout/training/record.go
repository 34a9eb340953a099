package training

import "tidepool/scout"

// A Record is one example and who has judged.
type Record struct {
	scout.TrainingExample
	Scorer string `json:"scorer"`
	// Compiles says that a compiler has seen the change made and accepts the place as it is.
	Compiles bool `json:"compiles,omitempty"`
}

// Label is who has judged: a compiler, or a scorer by its name.
func (r Record) Label() string {
	if r.Certain || r.Compiles {
		return Compiler
	}
	return r.Scorer
}

// Compiler is the label of what a compiler has judged.
const Compiler = "compiler"

// Judged returns the rubric that a scorer should give. A compiler has no opinion on
// how hard something is to put right.
func (r Record) Judged() scout.Rubric {
	judged := r.Rubric
	switch {
	case r.Certain:
		judged.Relevance, judged.Risk, judged.Confidence = 5, 5, 5
	case r.Compiles:
		judged = scout.Rubric{Relevance: 1, Risk: 1, Complexity: 1, Confidence: 5}
	}
	return judged
}

// RecordsOf returns the records of an answer. What the query names was judged by
// nobody.
func RecordsOf(a *scout.Answer) []Record {
	var records []Record
	for _, e := range a.TrainingExamples {
		if e.Node.Role != scout.RoleDefinition || e.Node.Depth > 0 {
			records = append(records, Record{TrainingExample: e, Scorer: a.Scorer})
		}
	}
	return records
}

// Accepted returns the places of an open walk, which no change has led, that a
// compiler accepts under the change of a settled answer about the same symbols.
// Files that it has not read, and declarations in which it refuses something,
// are left out.
func Accepted(settled, open *scout.Answer) []Record {
	if !settled.Settled() || len(settled.TrainingExamples) == 0 {
		return nil
	}
	files, refused := make(map[string]bool), make(map[string]bool)
	for _, e := range settled.TrainingExamples {
		if e.Certain {
			refused[fileOf(e)+" "+e.Node.In] = true
		} else if e.Node.Depth > 0 {
			files[fileOf(e)] = true // the walk went there because the compiler had not
		}
	}
	var records []Record
	for _, r := range RecordsOf(open) {
		if files[fileOf(r.TrainingExample)] || refused[fileOf(r.TrainingExample)+" "+r.Node.In] {
			continue
		}
		r.Query = settled.TrainingExamples[0].Query
		r.Compiles = true
		records = append(records, r)
	}
	return records
}
