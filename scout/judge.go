package scout

import (
	"context"
	"fmt"
	"time"

	"tidepool/internal/wording"
)

// A judged group is the places of one declaration that do the same: they are
// judged once.
type group struct {
	into   position
	manner string
}

// enter opens edges: what is certain is listed, what cannot be judged any more is
// counted, and the rest is judged and waits for its turn.
func (w *walk) enter(ctx context.Context, edges []Edge) {
	var batch, others []Edge
	asked := make(map[group]int) // index in batch
	limit := w.affordable()
	for _, e := range edges {
		key := group{positionOf(e.into()), Manner(e.Role, e.Traits)}
		_, known := asked[key]
		switch {
		case e.Certain:
			w.sure(e)
			if w.leadsOn(e) {
				w.frontier.add(w.passing(e))
			}
		case e.Observed:
			w.add(w.ruled(e))
		case known:
			others = append(others, e)
		case limit >= 0 && len(batch) == limit:
			w.left.Cut++
		default:
			asked[key] = len(batch)
			batch = append(batch, e)
		}
	}
	scores := w.judge(ctx, batch)
	for i, e := range batch {
		w.add(w.opened(e, scores[i], false))
	}
	for _, e := range others {
		s := scores[asked[group{positionOf(e.into()), Manner(e.Role, e.Traits)}]]
		w.add(w.opened(e, Score{Rubric: s.Rubric, Reason: e.Reason, Err: s.Err}, true))
	}
}

// affordable returns how many edges may be judged now; -1: any number. A walk asks a
// model about no more edges than its budget has nodes, and where scores lead the
// way it keeps half of them for what it finds later.
func (w *walk) affordable() int {
	if _, costs := w.scorer.(Model); !costs {
		return -1
	}
	left := w.understood.Budget - w.asked
	if w.query.Change.Kind.ranked() {
		return (left + 1) / 2
	}
	return left
}

// judge scores a batch. An edge that cannot be scored says so in its Score.Err.
func (w *walk) judge(ctx context.Context, batch []Edge) []Score {
	if len(batch) == 0 {
		return nil
	}
	w.asked += len(batch)
	begun := time.Now()
	scores, err := w.scorer.Score(ctx, w.query, batch)
	w.scoring += time.Since(begun)
	if err == nil && len(scores) != len(batch) {
		err = fmt.Errorf("%d scores came back for %d edges", len(scores), len(batch))
	}
	judged, before := make([]Score, len(batch)), w.unscored.count
	for i := range judged {
		if err != nil {
			judged[i].Err = err
		} else {
			judged[i] = valid(scores[i])
			w.calls += judged[i].Calls
		}
		if judged[i].Err != nil {
			w.unscored.add(judged[i].Err)
		}
	}
	if w.unscored.count > before && ctx.Err() != nil {
		w.stop(ctx)
	}
	return judged
}

// valid refuses a rubric that is none.
func valid(s Score) Score {
	if s.Err == nil {
		s.Err = s.Rubric.Validate()
	}
	return s
}

// add puts an edge on the frontier, unless scores decide what belongs to the
// answer and this one calls it irrelevant.
func (w *walk) add(o open) {
	if w.query.Change.Kind.ranked() && w.understood.Meant == "" && o.score.Err == nil && o.score.Rubric.Relevance < visitFrom {
		w.left.Irrelevant++
		return
	}
	w.frontier.add(o)
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
	return Failures{
		Count: f.count, Reason: wording.Line(f.first.Error(), maxReason), Hint: wording.Line(wording.HintOf(f.first), maxReason),
	}
}
