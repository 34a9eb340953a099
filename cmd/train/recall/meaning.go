package main

import (
	"context"
	"fmt"

	"tidepool/internal/ollama"
	"tidepool/internal/recall/evidence"
	"tidepool/internal/recall/quality"
)

// measure prints what vectors of a model add to the ranking of the tuned dialogues, for some weights of the cosine.
func measure(ctx context.Context, tuned []quality.Dialogue, endpoint, name string) error {
	client, err := ollama.New(ollama.Options{Endpoint: endpoint, Model: name, Remember: -1})
	if err != nil {
		return err
	}
	defer client.Close()
	subjects := quality.Subjects(tuned)
	for i := range subjects {
		if err := subjects[i].Embed(ctx, client); err != nil {
			return err
		}
	}
	c := evidence.Fitted()
	for _, c.Cosine = range []float64{0, .1, .25, .5, 1, 2} {
		h, err := quality.Find(subjects, &c)
		if err != nil {
			return err
		}
		fmt.Printf("%s, cosine × %v: %+v\n", name, c.Cosine, h)
	}
	return nil
}
