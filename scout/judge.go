package scout

import (
	"context"
	"fmt"
)

// judge scores a batch. An edge that cannot be scored says so in its Score.Err.
func (w *walk) judge(ctx context.Context, batch []Edge) []Score {
	if len(batch) == 0 {
		return nil
	}
	scores, err := w.scorer.Score(ctx, w.query, batch)
	if err == nil && len(scores) != len(batch) {
		err = fmt.Errorf("%d scores came back for %d edges", len(scores), len(batch))
	}
	judged, before := make([]Score, len(batch)), w.unscored.count
	for i := range judged {
		if err != nil {
			judged[i].Err = err
		} else {
			judged[i] = checked(scores[i])
		}
		if judged[i].Err != nil {
			w.unscored.add(judged[i].Err)
		} else {
			w.scored++
		}
	}
	if w.unscored.count > before && ctx.Err() != nil {
		w.stop(ctx)
	}
	return judged
}

// checked refuses a rubric that is none.
func checked(s Score) Score {
	if s.Err == nil {
		s.Err = s.Rubric.Validate()
	}
	return s
}

// failures counts what went wrong alike.
type failures struct {
	count int
	first error
}

func (f *failures) add(err error) {
	if f.count++; f.count == 1 {
		f.first = err
	}
}

func (f failures) report() Failures {
	if f.count == 0 {
		return Failures{}
	}
	return Failures{Count: f.count, Reason: oneLine(f.first.Error(), maxReason)}
}
