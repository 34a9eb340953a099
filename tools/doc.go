// Package tools is the registry of the tools that a model can call: it discovers the tools of a toolset, describes
// them, checks the arguments of a call and renders the result.
//
// A tool is an exported method of a toolset, func(context.Context, Call, In) (Out, error). A Registry discovers the tools of
// a toolset by reflection, derives the schema of the arguments from In, and checks arguments against it before the
// method runs. Three failures stay apart: an *UnknownToolError, an *ArgumentError, and the tool's own error, each with
// a Hint where there is advice. What a tool looks for and does not find is no failure: the output says so.
//
// A Call is what a tool may need of its call beside the arguments.
//
// The prose that a model reads is desc/<name>.md in the package of each toolset, and instructions.md for all of them; all
// that it sees of the tools is testdata/tools.golden.json.
//
// The toolsets are packages below this one, and import it. Those about code share what is below internal: query and graph
// know no programming language, lang says which there are, page writes answers.
package tools
