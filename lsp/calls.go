package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// IncomingCalls finds who calls the function or method at a place. Servers count a use of the function as a
// value as a call of it; gopls does.
func (v *View) IncomingCalls(ctx context.Context, at Location) ([]Call, error) {
	to, items, err := v.hierarchy(ctx, at)
	if err != nil {
		return nil, err
	}
	defer v.observe()
	v.beyond(ctx, to.session, to.name)
	calls := []Call{}
	for _, item := range items {
		params := &protocol.CallHierarchyIncomingCallsParams{Item: item}
		result, err := ask[[]protocol.CallHierarchyIncomingCall](ctx, to.session, protocol.MethodCallHierarchyIncomingCalls, params)
		if err != nil {
			return nil, err
		}
		for _, call := range result {
			// gopls v0.23 gives every caller the package of the one called: no container here.
			calls = append(calls, to.call(call.From, "", call.From.URI, call.FromRanges))
		}
	}
	return calls, nil
}

// OutgoingCalls finds what the function or method at a place calls.
func (v *View) OutgoingCalls(ctx context.Context, at Location) ([]Call, error) {
	to, items, err := v.hierarchy(ctx, at)
	if err != nil {
		return nil, err
	}
	defer v.observe()
	calls := []Call{}
	for _, item := range items {
		params := &protocol.CallHierarchyOutgoingCallsParams{Item: item}
		result, err := ask[[]protocol.CallHierarchyOutgoingCall](ctx, to.session, protocol.MethodCallHierarchyOutgoingCalls, params)
		if err != nil {
			return nil, err
		}
		for _, call := range result {
			container := ""
			if call.To.Detail != nil {
				container = *call.To.Detail
			}
			calls = append(calls, to.call(call.To, container, item.URI, call.FromRanges))
		}
	}
	return calls, nil
}

func (v *View) hierarchy(ctx context.Context, at Location) (target, []protocol.CallHierarchyItem, error) {
	to, err := v.aim(ctx, at)
	if err != nil {
		return target{}, nil, err
	}
	params := &protocol.CallHierarchyPrepareParams{TextDocumentPositionParams: to.place}
	items, err := ask[[]protocol.CallHierarchyItem](ctx, to.session, protocol.MethodTextDocumentPrepareCallHierarchy, params)
	return to, items, err
}

// call converts one entry of the hierarchy; in is the file of its sites.
func (t target) call(item protocol.CallHierarchyItem, container string, in uri.URI, ranges []protocol.Range) Call {
	at := protocol.Location{URI: item.URI, Range: item.SelectionRange}
	made := Call{Caller: t.session.symbol(item.Name, container, item.Kind, at, t.seen)}
	for _, r := range ranges {
		made.Sites = append(made.Sites, t.seen.location(protocol.Location{URI: in, Range: r}))
	}
	return made
}
