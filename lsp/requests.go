package lsp

import (
	"context"

	"tidepool/lsp/internal/session"
)

// counted has requests made under the context count for the View.
func (v *View) counted(ctx context.Context) context.Context {
	return session.CountRequests(ctx, &v.requests)
}

// Requests returns how many requests have been made of language servers for this View, those of its drafts included.
func (v *View) Requests() int { return int(v.requests.Load()) }
