package ollama

import (
	"net/url"
	"strings"
)

// An EndpointError is the reason why a text is not the address of a server.
type EndpointError struct {
	Problem string
}

func (e *EndpointError) Error() string { return "cannot use the endpoint of Ollama: " + e.Problem }

// Hint shows what an endpoint looks like.
func (e *EndpointError) Hint() string {
	return "set GEMMA_ENDPOINT to an address such as http://127.0.0.1:11434"
}

// parseEndpoint accepts an absolute http or https address. Its errors do not
// repeat the text: it may hold a password.
func parseEndpoint(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, &EndpointError{"it is empty"}
	}
	endpoint, err := url.Parse(text)
	switch {
	case !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://"):
		return nil, &EndpointError{"it does not begin with http:// or https://"}
	case err != nil:
		return nil, &EndpointError{"it is not a URL"}
	case endpoint.Hostname() == "":
		return nil, &EndpointError{"it names no host"}
	case endpoint.RawQuery != "" || endpoint.Fragment != "":
		return nil, &EndpointError{"it has a query or a fragment"}
	}
	return endpoint, nil
}
