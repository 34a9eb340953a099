package ollama

import (
	"time"

	"github.com/ollama/ollama/api"
)

// A Prompt asks a model for one call of one tool.
type Prompt struct {
	System string
	User   string
	Tool   Tool
}

// A Tool is what the model may call.
type Tool struct {
	Name        string
	Description string
	Parameters  []Parameter
}

// A Parameter is one argument of a tool. A model is shown its name, its
// description and its type, nothing else: limits belong into the description.
type Parameter struct {
	Name        string
	Type        string   // integer, string, boolean, number, or array, of strings
	OneOf       []string // what the strings of an array may be; a model is not shown it; nil: anything
	Description string
	Optional    bool
}

// chatRequest returns what every request of a client has in common.
func (o Options) chatRequest() *api.ChatRequest {
	off := false
	return &api.ChatRequest{
		Model:     o.Model,
		Stream:    &off,
		Truncate:  &off, // else a long prompt loses its beginning: the tool declarations
		Shift:     &off, // the same while the model writes
		KeepAlive: &api.Duration{Duration: o.KeepAlive},
		Options: map[string]any{
			"num_ctx":     o.Context,
			"num_predict": o.Predict,
			"temperature": 0,
			"seed":        1,
		},
	}
}

func (o Options) callRequest(p Prompt) *api.ChatRequest {
	request := o.chatRequest()
	if p.System != "" {
		request.Messages = append(request.Messages, api.Message{Role: "system", Content: Neutral(p.System)})
	}
	request.Messages = append(request.Messages, api.Message{Role: "user", Content: Neutral(p.User)})
	request.Tools = api.Tools{p.Tool.declaration()}
	return request
}

func (t Tool) declaration() api.Tool {
	parameters := api.ToolFunctionParameters{Type: "object", Properties: api.NewToolPropertiesMap()}
	for _, p := range t.Parameters {
		parameters.Properties.Set(p.Name, p.property())
		if !p.Optional {
			parameters.Required = append(parameters.Required, p.Name)
		}
	}
	return api.Tool{
		Type:     "function",
		Function: api.ToolFunction{Name: t.Name, Description: t.Description, Parameters: parameters},
	}
}

func (p Parameter) property() api.ToolProperty {
	property := api.ToolProperty{Type: api.PropertyType{p.Type}, Description: Neutral(p.Description)}
	if p.Type == "array" {
		items := map[string]any{"type": "string"}
		if p.OneOf != nil {
			items["enum"] = p.OneOf
		}
		property.Items = items
	}
	return property
}

// checkDone accepts a reply that the model itself has finished.
func (o Options) checkDone(reply *api.ChatResponse) error {
	switch {
	case !reply.Done:
		return &Error{Kind: Unfinished, Detail: "the model may have repeated one token without end"}
	case reply.DoneReason == "length":
		return &Error{Kind: CutOff, Detail: "the model did not finish within num_predict or num_ctx"}
	case reply.DoneReason != "stop":
		return &Error{Kind: Unfinished, Detail: "done_reason is " + show(reply.DoneReason)}
	case reply.PromptEvalCount >= o.Context: // a server too old to know truncate:false
		return &Error{Kind: TooLong, Detail: "it filled the context and may have been cut"}
	}
	return nil
}

// checkReply accepts a finished reply that calls the tool.
func (o Options) checkReply(reply *api.ChatResponse, tool Tool) (Arguments, error) {
	if err := o.checkDone(reply); err != nil {
		return Arguments{}, err
	}
	calls := reply.Message.ToolCalls
	switch {
	case len(calls) == 0:
		return Arguments{}, &Error{Kind: NoCall, Detail: oneLine(reply.Message.Content)}
	case bare(calls[0].Function.Name) == "":
		return Arguments{}, &Error{Kind: WrongCall, Detail: "a call that Ollama could not parse"}
	case bare(calls[0].Function.Name) != tool.Name:
		return Arguments{}, &Error{Kind: WrongCall, Detail: oneLine(calls[0].Function.Name)}
	}
	arguments := newArguments(&calls[0].Function.Arguments)
	if name := arguments.missing(tool); name != "" {
		return Arguments{}, badArgument("%s is missing", name)
	}
	return arguments, nil
}

// checkLoad accepts the reply to a request without messages.
func checkLoad(reply *api.ChatResponse) error {
	if !reply.Done {
		return &Error{Kind: Unfinished, Detail: "the model was not loaded"}
	}
	return nil
}

// warmFor returns how long after an answer the model is sure to be loaded still.
func (o Options) warmFor() time.Duration { return o.KeepAlive / 2 }
