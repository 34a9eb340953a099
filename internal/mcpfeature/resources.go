package mcpfeature

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"tidepool/internal/wording"
	"tidepool/protocol"
)

// Bounds of resources/list. What it leaves out the templates reach, and completion names.
const (
	mostOfKind  = 50              // resources of one kind
	listTime    = 3 * time.Second // for all kinds
	maxTitle    = 120             // characters
	maxWhy      = 300             // characters of why a list may lack something
	plainText   = "text/plain"
	lackingHead = " Not listed here: "
)

// A resource is one entry of resources/list.
type resource struct {
	URI         string       `json:"uri"`
	Name        string       `json:"name"`
	Title       string       `json:"title"`
	Description string       `json:"description"`
	MimeType    string       `json:"mimeType"`
	Annotations *annotations `json:"annotations,omitempty"`
}

type annotations struct {
	LastModified string `json:"lastModified"` // RFC 3339
}

// A template is one entry of resources/templates/list.
type template struct {
	URITemplate string `json:"uriTemplate"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	MimeType    string `json:"mimeType"`
}

func templates() []template {
	return []template{
		{"tidepool://ref/{ref}{?lines,head,tail,grep}", "reference", "Output kept under a reference",
			"A whole output of safe_bash in this session: its beginning, lines=10-40, its head or tail, or what matches the regular expression grep.", plainText},
		{"tidepool://conversation/{session}{?offset}", "conversation", "Earlier session",
			"The turns of an earlier session of this project, from the first one, or from offset; -3 begins at the last but two.", plainText},
		{"tidepool://conversation/{session}/{turn}{?from}", "turn", "Turn of an earlier session",
			"One turn, by its number from 0: the prompt, the answer, and the tools that were used. from continues a long one.", plainText},
		{"tidepool://memory/{id}", "memory", "Memory", "All that is known of one memory, such as mem_3f2a9c01b7de.", plainText},
	}
}

func listTemplates(params json.RawMessage) (json.RawMessage, error) {
	p, err := decode[struct{ Cursor string }]("resources/templates/list", params)
	switch {
	case err != nil:
		return nil, err
	case p.Cursor != "":
		return nil, invalid("resources/templates/list has one page: ask without a cursor")
	}
	return encode(map[string]any{"resourceTemplates": templates()})
}

func (s *Service) listResources(ctx context.Context, r *protocol.MCPRequest) (json.RawMessage, error) {
	p, err := decode[struct{ Cursor string }](r.Method, r.Params)
	if err != nil {
		return nil, err
	}
	start, err := readCursor(p.Cursor)
	if err != nil {
		return nil, err
	}
	all := s.resources(ctx, r.Meta)
	end := min(start+pageSize, len(all))
	page := struct {
		Resources  []resource `json:"resources"`
		NextCursor string     `json:"nextCursor,omitempty"`
	}{Resources: append([]resource{}, all[min(start, end):end]...)}
	if end < len(all) {
		page.NextCursor = cursor(end)
	}
	return encode(page)
}

// resources returns all that are listed for a caller: the state of things, its references, the latest sessions and memories.
func (s *Service) resources(ctx context.Context, caller *protocol.CallMeta) []resource {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	var listed []resource
	var lacking []string
	for _, kind := range []struct {
		host   string
		source Source
	}{{"ref", s.References}, {"conversation", s.Conversations}, {"memory", s.Memories}} {
		found, err := list(ctx, kind.source, Query{Caller: caller, Limit: mostOfKind})
		switch more := found.Total - len(found.Items); {
		case err != nil:
			found.Lacks = err.Error()
		case found.Lacks == "" && more > 0:
			found.Lacks = fmt.Sprintf("%d older ones", more)
		}
		if found.Lacks != "" {
			lacking = append(lacking, kind.host+" ("+wording.Stored(found.Lacks, maxWhy)+")")
		}
		for _, item := range found.Items {
			listed = append(listed, item.resource(kind.host))
		}
	}
	return append(s.states(lacking), listed...)
}

// states returns the resources of which there is one. The first says what the list lacks.
func (s *Service) states(lacking []string) (all []resource) {
	if s.Status != nil {
		about := "The daemon, its language servers and what answers are worth now."
		if len(lacking) > 0 {
			about += lackingHead + strings.Join(lacking, "; ") + "."
		}
		all = append(all, resource{URI: uriOf("status"), Name: "status", Title: "State of the daemon", Description: about, MimeType: plainText})
	}
	if s.Reader != nil {
		all = append(all, resource{URI: uriOf("work"), Name: "work", Title: "Where the work stands",
			Description: "The issue of the branch, the branch, uncommitted files, the pull request with reviews and checks.", MimeType: plainText})
	}
	return all
}

// resource returns an Item as an entry of a list.
func (i Item) resource(host string) resource {
	r := resource{
		URI: uriOf(host, i.ID), Name: host + " " + wording.Stored(i.ID, maxTitle), Title: wording.Stored(i.Title, maxTitle), MimeType: plainText,
	}
	r.Description = r.Title
	if i.About != "" {
		r.Description += " (" + wording.Stored(i.About, maxTitle) + ")"
	}
	if !i.At.IsZero() {
		r.Annotations = &annotations{i.At.UTC().Format(time.RFC3339)}
	}
	return r
}

// list asks a source, if there is one.
func list(ctx context.Context, source Source, q Query) (Found, error) {
	if source == nil {
		return Found{}, nil
	}
	found, err := source.List(ctx, q)
	if hint := wording.HintOf(err); hint != "" {
		err = fmt.Errorf("%w: %s", err, hint)
	}
	return found, err
}

// readResource reads one resource by the tool for it, so that the limits and the search for secrets are the tool's.
func (s *Service) readResource(ctx context.Context, r *protocol.MCPRequest) (json.RawMessage, error) {
	p, err := decode[struct{ URI string }](r.Method, r.Params)
	if err != nil {
		return nil, err
	}
	place, arguments, err := parse(p.URI)
	if err != nil {
		return nil, notFound(p.URI, err)
	}
	text, err := s.read(ctx, r.Meta, place, arguments)
	if missing, is := errors.AsType[*NotFoundError](err); is {
		return nil, notFound(p.URI, missing.Err)
	}
	if err != nil {
		return nil, err
	}
	type contents struct {
		URI      string `json:"uri"`
		MimeType string `json:"mimeType"`
		Text     string `json:"text"`
	}
	return encode(map[string]any{"contents": []contents{{p.URI, plainText, text}}})
}

func (s *Service) read(ctx context.Context, caller *protocol.CallMeta, p place, arguments map[string]any) (string, error) {
	switch {
	case p.tool == "" && s.Status != nil:
		return s.Status(ctx)
	case p.tool != "" && s.Reader != nil:
		return s.Reader.Read(ctx, caller, p.tool, arguments)
	}
	return "", &NotFoundError{errors.New("this daemon does not have it")}
}

// notFound returns the error that there is no such resource, as MCP wants it.
func notFound(uri string, why error) *protocol.Error {
	text := why.Error()
	if hint := wording.HintOf(why); hint != "" {
		text += ": " + hint
	}
	e := invalid("there is no resource %q: %s", wording.Line(wording.Visible(uri), 200), text)
	e.Data, _ = encode(map[string]string{"uri": uri}) // a string has a JSON
	return e
}
