package main

import (
	"context"
	"fmt"

	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/quality"
)

// table prints the figures of constants.
func table(ctx context.Context, d *quality.Data, name string, c *evidence.Constants) error {
	fmt.Printf("\n%s\n", name)
	for _, set := range []struct {
		name string
		of   []quality.Dialogue
	}{{"LoCoMo, tuned", d.Tuned}, {"LoCoMo, others", d.Held}, {"REALTALK", d.Real}} {
		h, err := quality.Find(quality.Subjects(set.of), c)
		if err != nil {
			return err
		}
		plain := quality.FindPlain(set.of)
		fmt.Printf("%-30s hit@1 %.3f hit@5 %.3f; plain %.3f, %.3f\n", set.name, h.First, h.Five, plain.First, plain.Five)
	}
	for _, groups := range []func(context.Context) ([]quality.Group, error){d.Fitting, d.Publishing} {
		all, err := groups(ctx)
		if err != nil {
			return err
		}
		for _, g := range all {
			t, err := quality.Tell(g.Trials, c)
			if err != nil {
				return err
			}
			fmt.Printf("%-30s right %.3f, exact %.3f;", g.Name, t.RightShare(), t.ExactShare())
			for _, s := range t.Silences {
				fmt.Printf(" %s %.3f", s.Kind, s.Share())
			}
			fmt.Println()
		}
	}
	return ctx.Err()
}
