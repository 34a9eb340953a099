package ollama

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ollama/ollama/api"
)

// Embed returns a vector of length 1 for each text, by a model that makes embeddings. What of a text does not fit the model's context is cut
// off. The model may have to be loaded first, which the server gives up if the context ends: see [Client.Warm]. Every failure is an
// [*Error], but for the end of ctx, which is ctx's own error.
func (c *Client) Embed(ctx context.Context, texts ...string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	within, cancel := context.WithTimeout(ctx, c.options.LoadTimeout)
	defer cancel()
	cut := true
	reply, err := c.api.Embed(within, &api.EmbedRequest{
		Model: c.options.Model, Input: texts, Truncate: &cut, KeepAlive: &api.Duration{Duration: c.options.KeepAlive},
	})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case within.Err() != nil:
		err = &Error{Kind: TimedOut, Detail: c.options.LoadTimeout.String() + " have passed", Err: within.Err()}
	case err != nil:
		err = asError(err)
	default:
		err = checkVectors(reply.Embeddings, len(texts))
	}
	if err != nil {
		c.setWarm(0)
		return nil, c.complete(err)
	}
	c.setWarm(c.options.warmFor())
	return reply.Embeddings, nil
}

// Warm reports whether the model has answered lately, so that it need not be loaded.
func (c *Client) Warm() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Before(c.warmUntil)
}

// checkVectors sees to it that there are so many vectors, all of one size, and gives each the length 1.
func checkVectors(vectors [][]float32, want int) error {
	if len(vectors) != want {
		return &Error{Kind: Malformed, Detail: fmt.Sprintf("%d vectors for %d texts", len(vectors), want)}
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) || normalize(v) != nil {
			return &Error{Kind: Malformed, Detail: "a vector is none"}
		}
	}
	return nil
}

func normalize(v []float32) error {
	sum := 0.
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return errors.New("it has no direction")
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return nil
}
