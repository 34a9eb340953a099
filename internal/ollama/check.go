package ollama

import (
	"context"

	"github.com/ollama/ollama/api"
)

// Check asks whether the server is there and has the model, without loading it. It takes as long as ctx. Every failure
// is an [*Error], but for the end of ctx, which is ctx's own error.
func (c *Client) Check(ctx context.Context) error {
	_, err := c.api.Show(ctx, &api.ShowRequest{Model: c.options.Model})
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return c.complete(asError(err))
}
