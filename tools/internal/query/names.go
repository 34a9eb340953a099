package query

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// Names are what somebody wrote to mean declarations: in JSON an array, or one string with commas between them.
type Names []string

// UnmarshalJSON accepts both forms, and null. It trims names, and drops empty and repeated ones.
func (n *Names) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) != nil {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		list = strings.Split(text, ",")
	}
	*n = nil
	for _, name := range list {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(*n, name) {
			*n = append(*n, name)
		}
	}
	return nil
}

// JSONSchema describes both forms.
func (Names) JSONSchema() *jsonschema.Schema {
	name := &jsonschema.Schema{Type: "string"}
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "array", Items: name}, name}}
}
