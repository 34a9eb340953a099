package mcpfeature

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// scheme is that of all resources here.
const scheme = "tidepool"

// A place is a kind of resources: a form of URI, and the tool that reads it. The first segment of a URI is its host.
type place struct {
	host  string
	tool  string   // "": the daemon's status
	path  []string // arguments of the tool that the segments after the host are
	query []string // arguments of the tool that may follow as a query
}

// numbers are the arguments that are integers.
func numbers() []string { return []string{"turn_number", "from", "offset", "head", "tail"} }

func places() []place {
	return []place{
		{host: "status"},
		{host: "work", tool: "exo_status"},
		{host: "ref", tool: "ref_content", path: []string{"ref"}, query: []string{"lines", "head", "tail", "grep"}},
		{host: "conversation", tool: "read_conversation", path: []string{"session_id"}, query: []string{"offset"}},
		{host: "conversation", tool: "read_turn", path: []string{"session_id", "turn_number"}, query: []string{"from"}},
		{host: "memory", tool: "memory_expand", path: []string{"id"}},
	}
}

// uriOf returns the URI of a resource.
func uriOf(host string, segments ...string) string {
	uri := scheme + "://" + host
	for _, s := range segments {
		uri += "/" + url.PathEscape(s)
	}
	return uri
}

// parse returns what reads a URI, and with which arguments. The error says what is wrong with it.
func parse(uri string) (place, map[string]any, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != scheme || u.User != nil || u.Fragment != "" || u.Opaque != "" {
		return place{}, nil, errors.New("it is no URI of tidepool: " + forms())
	}
	segments := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	if segments[0] == "" {
		segments = nil
	}
	at := slices.IndexFunc(places(), func(p place) bool { return p.host == u.Host && len(p.path) == len(segments) })
	if at < 0 {
		return place{}, nil, errors.New("there is nothing of that form: " + forms())
	}
	found := places()[at]
	arguments, err := found.arguments(segments, u.RawQuery)
	return found, arguments, err
}

// forms returns how URIs look, for errors.
func forms() string {
	all := []string{uriOf("status"), uriOf("work")}
	for _, t := range templates() {
		all = append(all, t.URITemplate)
	}
	return "use " + strings.Join(all, ", ")
}

// arguments returns the arguments of the tool.
func (p place) arguments(segments []string, rawQuery string) (map[string]any, error) {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, errors.New("its query cannot be read: " + err.Error())
	}
	given := map[string]string{}
	for i, name := range p.path {
		if given[name], err = url.PathUnescape(segments[i]); err != nil {
			return nil, err // url.Parse has read it
		}
	}
	for name, values := range query {
		if !slices.Contains(p.query, name) || len(values) != 1 {
			return nil, errors.New("its query may have each of these once: " + strings.Join(p.query, ", "))
		}
		given[name] = values[0]
	}
	return typed(given)
}

// typed returns arguments with their types.
func typed(given map[string]string) (map[string]any, error) {
	arguments := map[string]any{}
	for name, value := range given {
		if !slices.Contains(numbers(), name) {
			arguments[name] = value
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, errors.New(name + " is a number")
		}
		arguments[name] = n
	}
	return arguments, nil
}
