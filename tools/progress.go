package tools

import "context"

// Progress is how far a call is.
type Progress struct {
	Done    float64 // in the tool's own unit; never decreases within a call
	Total   float64 // 0: unknown
	Message string  // one line for a person
}

type progressKey struct{}

// WithProgress returns a context under which a tool's progress goes to report. report is called for one
// thing at a time and must not block.
func WithProgress(ctx context.Context, report func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

// ReportProgress tells whoever called the tool how far it is; nothing happens if nobody asked.
func ReportProgress(ctx context.Context, p Progress) {
	if report, ok := ctx.Value(progressKey{}).(func(Progress)); ok {
		report(p)
	}
}
