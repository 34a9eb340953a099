// Package tools holds what a model can call, and the registry that finds it.
//
// A tool is an exported method of a toolset, func(context.Context, Call, In) (Out, error). A Registry discovers the tools of a
// toolset by reflection, derives the schema of the arguments from In, and checks arguments against it before the
// method runs. Three failures stay apart: an *UnknownToolError, an *ArgumentError, and the tool's own error, each with
// a Hint where there is advice. What a tool looks for and does not find is no failure: the output says so.
//
// The prose that a model reads is desc/<name>.md, and instructions.md for all of them; all that it sees of the tools
// is testdata/tools.golden.json.
//
// Code and Scout ask language servers about names. Every output says how complete it is, renders itself for a model as
// lines of "path:line: code" through its Text method, and keeps absolute paths in its JSON.
//
// How they ask is internal/code, and for the walks of Scout internal/graph; what a programming language has to tell beyond
// its server is a package of its own below internal. This package alone knows which languages there are.
package tools
