package tools

import (
	"strings"

	"github.com/invopop/jsonschema"

	"tidepool/internal/wording"
)

func unknownField(name string, within *jsonschema.Schema) string {
	var known []string
	if within.Properties != nil {
		for pair := within.Properties.Oldest(); pair != nil; pair = pair.Next() {
			known = append(known, pair.Key)
		}
	}
	if near := wording.Nearest(name, known, 1); len(near) > 0 {
		return "unknown field; did you mean " + near[0] + "?"
	}
	return "unknown field"
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
