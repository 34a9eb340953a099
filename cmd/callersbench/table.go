package main

import (
	"fmt"

	"tidepool/internal/figures"
)

// Bounds of all languages.
const (
	leastPrecision   = .995
	leastCallRecall  = .99
	leastValueRecall = .97
)

// precision is the share of what was answered that is right.
func (t tally) precision() float64 { return share(t.right, t.right+t.wrong) }

// recall is the share of what is right that was answered.
func (t tally) recall() float64 { return share(t.right, t.right+t.missing) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// rows returns the lines of the table.
func (s *score) rows() []figures.Row {
	about := fmt.Sprintf("%s, `%s`", s.language, s.source)
	asked := fmt.Sprintf("%d functions, each asked by name and by file", s.functions)
	rows := []figures.Row{
		s.uses[calling].row(about+": calls", leastCallRecall, asked),
		s.uses[taking].row(about+": values", leastValueRecall, asked),
	}
	if through := s.uses[dispatching]; through != (tally{}) {
		rows = append(rows, through.row(about+": through interfaces", leastCallRecall, asked))
	}
	return append(rows, figures.Row{
		What: about + ": answers that are called complete, and are not the truth", Hold: "0", Measured: fmt.Sprint(s.falsely),
		Beside: fmt.Sprintf("%d of %d answers are not called complete", s.partial, 2*s.functions), Held: s.falsely == 0,
	}, figures.Row{
		What: about + ": not found, or an error; both ways of asking differ", Hold: "0; 0", Measured: fmt.Sprintf("%d; %d", s.failed, s.disagree),
		Beside: fmt.Sprintf("%d names mean more than the %d that are listed", s.cut, manyCandidates), Held: s.failed+s.disagree == 0,
	})
}

func (t tally) row(what string, recall float64, beside string) figures.Row {
	return figures.Row{
		What: what, Hold: fmt.Sprintf("precision ≥ %.3f, recall ≥ %.2f", leastPrecision, recall),
		Measured: fmt.Sprintf("%.4f, %.4f of %d", t.precision(), t.recall(), t.right+t.missing), Beside: beside,
		Held: t.precision() >= leastPrecision && t.recall() >= recall,
	}
}
