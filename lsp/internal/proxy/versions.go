package proxy

import (
	"bytes"
	"encoding/json"

	"go.lsp.dev/uri"

	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// versions are those of a client's documents, as it had them when it asked.
type versions session.Buffers

// withVersions puts the client's versions of documents in the place of ours, wherever an edit of the workspace names
// one: a client refuses an edit of another version than it has. A file that the client had not open has no version. All
// else stays byte for byte.
func withVersions(of session.Buffers, result []byte) []byte {
	if !bytes.Contains(result, []byte(`"documentChanges"`)) {
		return result
	}
	changed, err := versions(of).inResult(result)
	if err != nil {
		return result
	}
	return changed
}

// inResult looks where edits are: in the result itself, in elements of a list, or under "edit".
func (v versions) inResult(value []byte) ([]byte, error) {
	if bytes.HasPrefix(value, []byte("[")) {
		return eachElement(value, v.inResult)
	}
	if !bytes.HasPrefix(value, []byte("{")) {
		return value, nil
	}
	return eachMember(value, map[string]func([]byte) ([]byte, error){
		"edit":            v.inResult,
		"documentChanges": func(list []byte) ([]byte, error) { return eachElement(list, v.inChange) },
	})
}

// inChange is for one element of documentChanges; those that make, move or remove files have no document.
func (v versions) inChange(change []byte) ([]byte, error) {
	return eachMember(change, map[string]func([]byte) ([]byte, error){"textDocument": v.inDocument})
}

func (v versions) inDocument(document []byte) ([]byte, error) {
	var of struct {
		URI uri.URI `json:"uri"`
	}
	if err := json.Unmarshal(document, &of); err != nil {
		return nil, err
	}
	return eachMember(document, map[string]func([]byte) ([]byte, error){"version": func([]byte) ([]byte, error) {
		if open, ok := v[text.Path(of.URI)]; ok {
			return versionOnWire(&open.Version), nil
		}
		return []byte("null"), nil
	}})
}

// eachElement copies a list of which each element may become another.
func eachElement(list []byte, with func([]byte) ([]byte, error)) ([]byte, error) {
	var elements []json.RawMessage
	if err := json.Unmarshal(list, &elements); err != nil {
		return nil, err
	}
	changed := make([][]byte, len(elements))
	for i, element := range elements {
		var err error
		if changed[i], err = with(element); err != nil {
			return nil, err
		}
	}
	return append(append([]byte{'['}, bytes.Join(changed, []byte(","))...), ']'), nil
}

// eachMember copies an object of which the named members become others.
func eachMember(object []byte, with map[string]func([]byte) ([]byte, error)) ([]byte, error) {
	var failed error
	changed, err := rewrite(object, func(key string, value []byte) []byte {
		change := with[key]
		if change == nil {
			return value
		}
		other, err := change(value)
		if err != nil {
			failed = err
		}
		return other
	})
	if err == nil {
		err = failed
	}
	return changed, err
}
