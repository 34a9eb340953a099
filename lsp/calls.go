package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"tidepool/lsp/internal/text"
)

// IncomingCalls finds who calls the function or method at a place. Servers count a use of the function as a
// value as a call of it; gopls does.
func (v *View) IncomingCalls(ctx context.Context, at Location) ([]Call, error) {
	ctx = v.counted(ctx)
	to, err := v.aim(ctx, at)
	if err != nil {
		return nil, err
	}
	defer to.done()
	v.beyond(ctx, to.server, to.session, to.name)
	// Asked about an item, gopls v0.23 answers from the root that declares it, wherever the item was found.
	for _, other := range v.across(ctx, to, false) {
		other.done()
		v.lacks(fmt.Sprintf("calls in the module of %s are not listed", v.tree.Relative(other.path)))
	}
	return v.incoming(ctx, to)
}

// incoming asks from one place.
func (v *View) incoming(ctx context.Context, to target) ([]Call, error) {
	items, err := to.hierarchy(ctx)
	calls := []Call{}
	for _, item := range items {
		params := &protocol.CallHierarchyIncomingCallsParams{Item: item}
		result, err := query[[]protocol.CallHierarchyIncomingCall](ctx, to, protocol.MethodCallHierarchyIncomingCalls, params)
		if err != nil {
			return nil, err
		}
		for _, call := range result {
			if !v.foreign(text.Path(call.From.URI)) {
				// gopls v0.23 gives every caller the package of the one called: no container here.
				calls = append(calls, to.call(call.From, "", call.From.URI, call.FromRanges))
			}
		}
	}
	return calls, err
}

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
