package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/text"
)

// OutgoingCalls finds what the function or method at a place calls.
func (v *View) OutgoingCalls(ctx context.Context, at Location) ([]Call, error) {
	ctx = v.counted(ctx)
	to, err := v.aim(ctx, at)
	if err != nil {
		return nil, err
	}
	defer to.done()
	items, err := to.hierarchy(ctx)
	calls := []Call{}
	for _, item := range items {
		params := &protocol.CallHierarchyOutgoingCallsParams{Item: item}
		result, err := query[[]protocol.CallHierarchyOutgoingCall](ctx, to, protocol.MethodCallHierarchyOutgoingCalls, params)
		if err != nil {
			return nil, err
		}
		for _, call := range result {
			container := ""
			if call.To.Detail != nil {
				container = *call.To.Detail
			}
			if !v.foreign(text.Path(call.To.URI)) {
				calls = append(calls, to.call(call.To, container, item.URI, call.FromRanges))
			}
		}
	}
	return calls, err
}

// hierarchy returns what the call hierarchy knows of the name aimed at.
func (t target) hierarchy(ctx context.Context) ([]protocol.CallHierarchyItem, error) {
	params := &protocol.CallHierarchyPrepareParams{TextDocumentPositionParams: t.place}
	return query[[]protocol.CallHierarchyItem](ctx, t, protocol.MethodTextDocumentPrepareCallHierarchy, params)
}

// call converts one entry of the hierarchy; in is the file of its sites.
func (t target) call(item protocol.CallHierarchyItem, container string, in uri.URI, ranges []protocol.Range) Call {
	at := protocol.Location{URI: item.URI, Range: item.SelectionRange}
	made := Call{Caller: t.session.Symbol(item.Name, container, item.Kind, at, t.seen)}
	for _, r := range ranges {
		made.Sites = append(made.Sites, t.seen.Location(protocol.Location{URI: in, Range: r}))
	}
	return made
}
