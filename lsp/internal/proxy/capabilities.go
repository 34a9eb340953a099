package proxy

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

// capabilities lists the server's requests that a client says it can answer. Everything else in a client's capabilities is about a server
// of its own and does not count: the session has announced its own.
type capabilities struct {
	Workspace struct {
		ApplyEdit bool `json:"applyEdit"`
	} `json:"workspace"`
	Window struct {
		WorkDoneProgress bool            `json:"workDoneProgress"`
		ShowMessage      json.RawMessage `json:"showMessage"`
		ShowDocument     struct {
			Support bool `json:"support"`
		} `json:"showDocument"`
	} `json:"window"`
}

func (a *capabilities) answers(method string) bool {
	switch method {
	case protocol.MethodWorkspaceApplyEdit:
		return a.Workspace.ApplyEdit
	case protocol.MethodWindowShowMessageRequest:
		return a.Window.ShowMessage != nil
	case protocol.MethodWindowShowDocument:
		return a.Window.ShowDocument.Support
	case protocol.MethodWindowWorkDoneProgressCreate:
		return a.Window.WorkDoneProgress
	}
	return false
}

// initialize answers initialize with what the server has answered to the daemon, less what cannot be shared. The client's options, folders
// and settings do not count: the daemon's do.
func (c *client) initialize(ctx context.Context, params []byte) reply {
	var message struct {
		Capabilities capabilities `json:"capabilities"`
	}
	_ = json.Unmarshal(params, &message) // a client that cannot be understood answers nothing
	live, err := c.session(ctx)
	var result []byte
	if err == nil {
		result, err = offered(live.Capabilities)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		if c.stage == initializing {
			c.stage = uninitialized
		}
		return refusal(ctx, err)
	}
	c.can = message.Capabilities
	c.stage = ready
	return reply{result: result}
}

// syncMember is how clients report their documents. It holds for every server, because the proxy keeps the texts: open and close,
// changes by ranges, saves.
const syncMember = `"textDocumentSync":{"openClose":true,"change":2,"save":true}`

// offered returns the result of initialize for a client, made of the one that the server has given us.
func offered(given []byte) ([]byte, error) {
	return rewrite(given, func(key string, value []byte) []byte {
		if key != "capabilities" {
			return value
		}
		capabilities, err := rewrite(value, offer)
		if err != nil || len(capabilities) == len("{}") {
			return []byte("{" + syncMember + "}")
		}
		return append([]byte("{"+syncMember+","), capabilities[1:]...)
	})
}

// offer returns one capability as a client may have it, nil for one that a shared server cannot keep: diagnostics on request depend on
// what the server was shown last, and folders are the daemon's.
func offer(name string, value []byte) []byte {
	switch name {
	case "textDocumentSync", "diagnosticProvider", "notebookDocumentSync", "workspace":
		return nil
	case "semanticTokensProvider":
		return withoutDelta(value)
	}
	return value
}

// withoutDelta takes changes between semantic tokens out: the server would remember one last result a file, not one for
// each client.
func withoutDelta(provider []byte) []byte {
	changed, err := rewrite(provider, func(key string, value []byte) []byte {
		if key == "full" && value[0] == '{' {
			return []byte("true")
		}
		return value
	})
	if err != nil {
		return nil
	}
	return changed
}

// isWithheld reports whether a request is one of those that offer takes out.
func isWithheld(method string) bool {
	switch method {
	case protocol.MethodTextDocumentDiagnostic, protocol.MethodWorkspaceDiagnostic,
		protocol.MethodTextDocumentSemanticTokensFullDelta, protocol.MethodTextDocumentWillSaveWaitUntil:
		return true
	}
	return false
}
