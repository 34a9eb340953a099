package tools

import (
	"context"

	"tidepool/lsp"
	"tidepool/tools/internal/query"
)

// Code is the toolset that answers questions about code for certain, through language servers and syntax. It needs
// Project and Root; use it by pointer.
type Code struct {
	Project *lsp.Project
	Root    string // absolute directory of the project, below which paths are written; "": all paths are absolute

	memory query.Memory
}

func (c *Code) begin(ctx context.Context, call Call, wait Wait) (*query.Query, error) {
	view, err := look(ctx, call, c.Project, wait)
	if err != nil {
		return nil, err
	}
	q := c.memory.Query(view, rootOf(view, c.Root), languageWith)
	q.Trust()
	return q, nil
}

// rootOf is the directory below which paths are written: that of the view's tree, or none.
func rootOf(view *lsp.View, root string) string {
	if root == "" {
		return ""
	}
	return view.Root()
}
