// Package code has the tools that answer questions about code exactly, through language servers and syntax: callers,
// fields, constructors.
package code

import (
	"context"
	"embed"
	"io/fs"

	"tidepool/lsp"
	"tidepool/tools"
	"tidepool/tools/internal/query"
	"tidepool/tools/lang"
)

//go:embed desc/*.md
var descriptions embed.FS

// A Toolset answers questions about code. It needs Project and Memory; use it by pointer.
type Toolset struct {
	Project *lsp.Project
	Root    string       // absolute directory of the project, below which paths are written; "": all paths are absolute
	Memory  *lang.Memory // what the toolsets of one project have read of it
}

// Descriptions returns what a model reads of the tools.
func (*Toolset) Descriptions() fs.FS { return descriptions }

func (t *Toolset) begin(ctx context.Context, call tools.Call, wait tools.Wait) (*query.Query, error) {
	view, err := tools.Look(ctx, call, t.Project, wait)
	if err != nil {
		return nil, err
	}
	return t.Memory.Query(view, t.Root, lang.Options{ReuseReads: true}), nil
}
