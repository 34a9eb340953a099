package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// IncomingCalls finds who calls the function or method at a place. Servers count a use of the function as a
// value as a call of it; gopls does.
func (v *View) IncomingCalls(ctx context.Context, at Location) ([]Call, error) {
	seen := texts{}
	live, items, err := v.hierarchy(ctx, at, seen)
	if err != nil {
		return nil, err
	}
	defer v.observe()
	calls := []Call{}
	for _, item := range items {
		params := &protocol.CallHierarchyIncomingCallsParams{Item: item}
		result, err := ask[[]protocol.CallHierarchyIncomingCall](ctx, live, protocol.MethodCallHierarchyIncomingCalls, params)
		if err != nil {
			return nil, err
		}
		for _, call := range result {
			// gopls v0.23 gives every caller the package of the one called: no container here.
			calls = append(calls, live.call(call.From, "", call.From.URI, call.FromRanges, seen))
		}
	}
	return calls, nil
}

// OutgoingCalls finds what the function or method at a place calls.
func (v *View) OutgoingCalls(ctx context.Context, at Location) ([]Call, error) {
	seen := texts{}
	live, items, err := v.hierarchy(ctx, at, seen)
	if err != nil {
		return nil, err
	}
	defer v.observe()
	calls := []Call{}
	for _, item := range items {
		params := &protocol.CallHierarchyOutgoingCallsParams{Item: item}
		result, err := ask[[]protocol.CallHierarchyOutgoingCall](ctx, live, protocol.MethodCallHierarchyOutgoingCalls, params)
		if err != nil {
			return nil, err
		}
		for _, call := range result {
			container := ""
			if call.To.Detail != nil {
				container = *call.To.Detail
			}
			calls = append(calls, live.call(call.To, container, item.URI, call.FromRanges, seen))
		}
	}
	return calls, nil
}

func (v *View) hierarchy(ctx context.Context, at Location, seen texts) (*session, []protocol.CallHierarchyItem, error) {
	live, place, err := v.place(ctx, at, seen)
	if err != nil {
		return nil, nil, err
	}
	params := &protocol.CallHierarchyPrepareParams{TextDocumentPositionParams: place}
	items, err := ask[[]protocol.CallHierarchyItem](ctx, live, protocol.MethodTextDocumentPrepareCallHierarchy, params)
	return live, items, err
}

// call converts one entry of the hierarchy; in is the file of its sites.
func (s *session) call(item protocol.CallHierarchyItem, container string, in uri.URI, ranges []protocol.Range, seen texts) Call {
	at := protocol.Location{URI: item.URI, Range: item.SelectionRange}
	made := Call{Caller: s.symbol(item.Name, container, item.Kind, at, seen)}
	for _, r := range ranges {
		made.Sites = append(made.Sites, location(protocol.Location{URI: in, Range: r}, seen))
	}
	return made
}
