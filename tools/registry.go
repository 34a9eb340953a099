package tools

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
)

//go:embed instructions.md
var instructions string

// Instructions tells a model when to prefer the tools to searching. It has at most 2,048 characters.
func Instructions() string { return strings.TrimSpace(instructions) }

// A Registry holds tools by name. Discover everything first; from then on it is read-only and safe for concurrent use.
type Registry struct {
	tools map[string]*tool
}

// A Toolset is a value whose exported methods are tools, apart from this one.
type Toolset interface {
	Descriptions() fs.FS // has desc/<name>.md for each tool
}

// A Definition is what a model sees of a tool before it calls it.
type Definition struct {
	Name        string            `json:"name"`
	Description string            `json:"description"` // at most 2,048 characters, with the first example
	InputSchema json.RawMessage   `json:"inputSchema"` // one plain JSON schema object
	Annotations Annotations       `json:"annotations"`
	Meta        Meta              `json:"_meta,omitzero"`
	Line        string            `json:"-"` // what the tool does, in at most 80 characters
	Spellings   map[string]string `json:"-"` // names that the tool takes for its arguments beside those of the schema
	Examples    []Example         `json:"-"`
	Toolset     string            `json:"-"` // the package of its toolset, such as "code"
}

// A Result is what a successful call returned.
type Result struct {
	JSON json.RawMessage // the tool's output, compact
	Text string          // the same for a model to read; empty if the output does not render itself
}

// NewRegistry returns a registry without tools.
func NewRegistry() *Registry { return &Registry{tools: make(map[string]*tool)} }

// Discover registers every exported method of toolset shaped
//
//	func(context.Context, Call, In) (Out, error)
//
// where In is a struct whose tags carry the schema. FindCallers becomes "find_callers", described by desc/find_callers.md, or
// "find-callers" if its description is called desc/find-callers.md.
// Any other exported method, a missing description or a name that is already taken is an error, and nothing of the
// toolset is registered then.
func (r *Registry) Discover(toolset Toolset) error {
	v := reflect.ValueOf(toolset)
	found := make(map[string]*tool)
	for i := range v.NumMethod() {
		method := v.Type().Method(i).Name
		if method == "Descriptions" {
			continue
		}
		t, err := r.discover(toolset.Descriptions(), method, v.Method(i))
		if err != nil {
			return fmt.Errorf("discovering %T.%s: %w", toolset, method, err)
		}
		t.definition.Toolset = path.Base(reflect.Indirect(v).Type().PkgPath())
		found[t.definition.Name] = t
	}
	if len(found) == 0 {
		return fmt.Errorf("discovering tools: %T has no exported methods (is it a pointer receiver's value?)", toolset)
	}
	for name, t := range found {
		r.tools[name] = t
	}
	return nil
}

func (r *Registry) discover(descriptions fs.FS, method string, fn reflect.Value) (*tool, error) {
	name := named(descriptions, method)
	if _, taken := r.tools[name]; taken {
		return nil, fmt.Errorf("the name %q is taken by another toolset", name)
	}
	described, err := readDescription(descriptions, name)
	if err != nil {
		return nil, err
	}
	t, err := newTool(name, fn)
	if err != nil {
		return nil, err
	}
	t.definition.Description = described.forModel()
	t.definition.Line = described.line
	t.definition.Examples = described.examples
	t.definition.Annotations = described.annotations
	t.definition.Meta = described.meta
	return t, nil
}

// named returns what a tool is called that is a method: the file of its description may have hyphens in its name.
func named(descriptions fs.FS, method string) string {
	name := toolName(method)
	hyphenated := strings.ReplaceAll(name, "_", "-")
	if _, err := fs.Stat(descriptions, "desc/"+hyphenated+".md"); err == nil {
		return hyphenated
	}
	return name
}

// Definitions returns all tools, sorted by name.
func (r *Registry) Definitions() []Definition {
	all := make([]Definition, 0, len(r.tools))
	for _, t := range r.tools {
		all = append(all, t.definition)
	}
	slices.SortFunc(all, func(a, b Definition) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Call runs the tool that a call names. Absent or null arguments mean {}. The error is an *UnknownToolError, an
// *ArgumentError (the method did not run), or what the method itself returned. A panic of the method is the caller's.
func (r *Registry) Call(ctx context.Context, call Call, arguments json.RawMessage) (Result, error) {
	t, ok := r.tools[call.Tool]
	if !ok {
		return Result{}, r.unknown(call.Tool)
	}
	in, err := t.input.decode(arguments)
	if err != nil {
		return Result{}, err
	}
	out, err := t.call(ctx, call, in)
	if err != nil {
		return Result{}, err
	}
	return render(call.Tool, out)
}

func (r *Registry) unknown(name string) error {
	names := make([]string, 0, len(r.tools))
	for _, d := range r.Definitions() {
		names = append(names, d.Name)
	}
	return &UnknownToolError{Name: name, Known: names}
}

func render(name string, out any) (Result, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return Result{}, fmt.Errorf("encoding the output of %s: %w", name, err)
	}
	result := Result{JSON: bytes.TrimSuffix(buf.Bytes(), []byte("\n"))}
	if renderer, ok := out.(interface{ Text() string }); ok {
		result.Text = renderer.Text()
	}
	return result, nil
}
