package ollama

import (
	"context"
	"errors"
	"net"
	"net/http"

	"github.com/ollama/ollama/envconfig"
)

// Local returns the address of this machine's Ollama: that of OLLAMA_HOST if it is a loopback address or means all addresses, else the
// one that Ollama has by default.
func Local() string {
	host := envconfig.Host()
	ip := net.ParseIP(host.Hostname())
	switch {
	case host.Path != "":
	case ip != nil && ip.IsUnspecified():
		host.Host = net.JoinHostPort("127.0.0.1", host.Port())
		return host.String()
	case host.Hostname() == "localhost", ip != nil && ip.IsLoopback():
		return host.String()
	}
	return "http://127.0.0.1:11434"
}

// Probe reports whether an Ollama answers at an address before ctx ends, and whether it has a model. It loads no model, follows no
// redirect and uses no proxy.
func Probe(ctx context.Context, endpoint, model string) (answers, has bool) {
	client, err := New(Options{Endpoint: endpoint, Model: model, Transport: &http.Transport{DisableKeepAlives: true}})
	if err != nil {
		return false, false
	}
	defer client.Close()
	err = client.Check(ctx)
	var known *Error
	missing := errors.As(err, &known) && known.Kind == ModelMissing
	return err == nil || missing, err == nil
}
