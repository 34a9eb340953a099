package mcpfeature

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"tidepool/protocol"
)

const (
	maxValues    = 100                    // of a completion, as MCP has it
	completeTime = 500 * time.Millisecond // somebody is typing
)

// completeParams are the params of completion/complete.
type completeParams struct {
	Ref struct {
		Type string `json:"type"` // ref/prompt, ref/resource
		Name string `json:"name"` // of a prompt
		URI  string `json:"uri"`  // template of resources
	} `json:"ref"`
	Argument struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"argument"`
	Context struct {
		Arguments map[string]string `json:"arguments"`
	} `json:"context"`
}

// A completion is the result of completion/complete. Total is absent if it is not known.
type completion struct {
	Values  []string `json:"values"`
	Total   *int     `json:"total,omitempty"`
	HasMore bool     `json:"hasMore"`
}

func (s *Service) complete(ctx context.Context, r *protocol.MCPRequest) (json.RawMessage, error) {
	p, err := decode[completeParams](r.Method, r.Params)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	var c completion
	switch p.Ref.Type {
	case "ref/prompt":
		c, err = s.completePrompt(ctx, r.Meta, p)
	case "ref/resource":
		c, err = s.completeTemplate(ctx, r.Meta, p)
	default:
		return nil, invalid("completion/complete: ref has the type %q: use ref/prompt or ref/resource", foreign(p.Ref.Type))
	}
	if err != nil {
		return nil, err
	}
	return encode(map[string]completion{"completion": c})
}

// completePrompt completes an argument of a prompt: symbols; for others there is nothing to offer.
func (s *Service) completePrompt(ctx context.Context, caller *protocol.CallMeta, p completeParams) (completion, error) {
	found, err := promptNamed(p.Ref.Name)
	if err != nil {
		return completion{}, err
	}
	if err := found.checkName(p.Argument.Name); err != nil {
		return completion{}, err
	}
	if p.Argument.Name == "symbol" {
		return s.values(ctx, s.Symbols, caller, p.Argument.Value), nil
	}
	return completion{Values: []string{}, Total: new(int)}, nil
}

// completeTemplate completes a variable of a template.
func (s *Service) completeTemplate(ctx context.Context, caller *protocol.CallMeta, p completeParams) (completion, error) {
	if !isTemplate(p.Ref.URI) {
		return completion{}, invalid("there is no template %q: %s", foreign(p.Ref.URI), forms())
	}
	variable := p.Argument.Name
	if !strings.Contains(p.Ref.URI, "{"+variable+"}") {
		return completion{}, invalid("%s has no variable %q that can be completed", p.Ref.URI, foreign(variable))
	}
	switch variable {
	case "ref":
		return s.values(ctx, s.References, caller, p.Argument.Value), nil
	case "session":
		return s.values(ctx, s.Conversations, caller, p.Argument.Value), nil
	case "turn":
		return s.turns(ctx, caller, p.Context.Arguments["session"], p.Argument.Value), nil
	}
	return s.values(ctx, s.Memories, caller, p.Argument.Value), nil
}

func isTemplate(uri string) bool {
	for _, t := range templates() {
		if t.URITemplate == uri {
			return true
		}
	}
	return false
}

// values completes by the ids of a source. If the source fails, or is late, nothing is offered, and there may be more.
func (s *Service) values(ctx context.Context, source Source, caller *protocol.CallMeta, typed string) completion {
	c := completion{Values: []string{}}
	found, err := list(ctx, source, Query{Caller: caller, Text: typed, Limit: maxValues})
	if err != nil {
		c.HasMore = true
		return c
	}
	for _, item := range found.Items[:min(len(found.Items), maxValues)] {
		c.Values = append(c.Values, item.ID)
	}
	c.HasMore = found.Lacks != "" || found.Total > len(c.Values)
	if found.Lacks == "" {
		c.Total = &found.Total
	}
	return c
}

// turns completes the number of a turn, the latest first.
func (s *Service) turns(ctx context.Context, caller *protocol.CallMeta, session, typed string) completion {
	c := completion{Values: []string{}, Total: new(int)}
	if session == "" {
		return c
	}
	found, err := list(ctx, s.Conversations, Query{Caller: caller, Text: session, Limit: maxValues})
	if err != nil {
		return completion{Values: c.Values, HasMore: true}
	}
	for _, item := range found.Items {
		if item.ID != session {
			continue
		}
		for n := item.Parts - 1; n >= 0; n-- {
			if text := strconv.Itoa(n); strings.HasPrefix(text, typed) {
				if *c.Total++; len(c.Values) < maxValues {
					c.Values = append(c.Values, text)
				}
			}
		}
	}
	c.HasMore = *c.Total > len(c.Values)
	return c
}
