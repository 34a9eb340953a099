package tools

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"tidepool/internal/wording"
)

// unknownField says of a field, at parent, that a schema does not have it. near are the fields that it may mean.
func unknownField(parent, name string, near []string) string {
	text := fmt.Sprintf("unknown argument %q", name)
	if parent != "" {
		text = fmt.Sprintf("%s: unknown field %q", parent, name)
	}
	if len(near) == 0 {
		return text
	}
	quoted := make([]string, len(near))
	for i, other := range near {
		quoted[i] = strconv.Quote(other)
	}
	return text + ": did you mean " + strings.Join(quoted, " or ") + "?"
}

// nearest returns the fields of a schema, one or two, that a misspelt one may mean.
func nearest(name string, schema *jsonschema.Schema) []string {
	var known []string
	if schema.Properties != nil {
		for pair := schema.Properties.Oldest(); pair != nil; pair = pair.Next() {
			known = append(known, pair.Key)
		}
	}
	return wording.Nearest(name, known, 2)
}

// propertyOf returns the schema of one property.
func propertyOf(schema *jsonschema.Schema, name string) (*jsonschema.Schema, bool) {
	if schema.Properties == nil {
		return nil, false
	}
	return schema.Properties.Get(name)
}

func inField(parent, name string) string {
	switch {
	case parent == "" && name == "":
		return "arguments"
	case parent == "":
		return name
	case name == "":
		return parent
	}
	return parent + "." + name
}

func article(types ...string) string {
	words := make([]string, len(types))
	for i, t := range types {
		switch {
		case t == "array" || t == "integer" || t == "object":
			words[i] = "an " + t
		case t == "null" || strings.HasPrefix(t, `"`): // a value of an enum
			words[i] = t
		default:
			words[i] = "a " + t
		}
	}
	return strings.Join(words, " or ")
}
