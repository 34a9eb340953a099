package lsp

import (
	"context"
	"sync/atomic"
)

// requestCount is the key of the counter that counted adds to a context.
type requestCount struct{}

// counted has requests made under the context count for the View.
func (v *View) counted(ctx context.Context) context.Context {
	return context.WithValue(ctx, requestCount{}, &v.requests)
}

// countRequest counts a request for the View that it is made for, if any.
func countRequest(ctx context.Context) {
	if n, ok := ctx.Value(requestCount{}).(*atomic.Int64); ok {
		n.Add(1)
	}
}

// Requests is how many requests have been made of language servers for this View, those of its drafts included.
func (v *View) Requests() int { return int(v.requests.Load()) }
