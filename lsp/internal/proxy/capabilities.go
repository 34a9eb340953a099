package proxy

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
)

// capabilities is what a client has announced that it does when the server asks.
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

// initialize answers initialize: the server has been asked long ago, for all. What the client wants of a server, in its
// options, folders and settings, is the daemon's to say.
func (g *client) initialize(ctx context.Context, params []byte) reply {
	var message struct {
		Capabilities capabilities `json:"capabilities"`
	}
	_ = json.Unmarshal(params, &message) // a client that cannot be understood has no abilities
	live, err := g.session(ctx)
	var result []byte
	if err == nil {
		result, err = offered(live.Capabilities)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		if g.stage == initializing {
			g.stage = uninitialized
		}
		return refusal(ctx, err)
	}
	g.can = message.Capabilities
	g.stage = ready
	return reply{result: result}
}

// syncMember is how clients tell of their documents, which are kept here, whatever the server itself can take.
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

// offer returns one capability as a client may have it.
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
