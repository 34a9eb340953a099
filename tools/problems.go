package tools

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	reflector "github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"tidepool/tools/internal/excerpt"
)

// problems returns what is wrong with which field, one line each, sorted.
func (in *input) problems(err error) []string {
	failure, ok := errors.AsType[*validator.ValidationError](err)
	if !ok {
		return []string{"arguments: " + err.Error()}
	}
	lines := in.explain(failure)
	slices.Sort(lines)
	return slices.Compact(lines)
}

func (in *input) explain(e *validator.ValidationError) []string {
	switch e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf:
		var lines []string
		for _, cause := range e.Causes {
			lines = append(lines, in.explain(cause)...)
		}
		return lines
	}
	at := in.described
	for _, step := range e.InstanceLocation {
		at = child(at, step)
	}
	return explainLeaf(fieldPath(e.InstanceLocation), at, e.ErrorKind)
}

// explainLeaf words one failure at field, whose schema is at.
func explainLeaf(field string, at *reflector.Schema, failure validator.ErrorKind) []string {
	say := func(format string, args ...any) []string {
		return []string{inField(field, "") + ": " + fmt.Sprintf(format, args...)}
	}
	switch k := failure.(type) {
	case *kind.Required:
		return eachField(field, k.Missing, func(string) string { return "is required" })
	case *kind.AdditionalProperties:
		return eachField(field, k.Properties, func(name string) string { return unknownField(name, at) })
	case *kind.Type:
		return say("expected %s, got %s", article(k.Want...), article(k.Got))
	case *kind.OneOf, *kind.AnyOf:
		return say("expected %s", article(typesOf(at)...))
	case *kind.Enum:
		return say("expected one of %s, got %s", strings.Join(quoteAll(k.Want), ", "), quoteAll([]any{k.Got})[0])
	case *kind.Minimum:
		return say("must be at least %s, got %s", number(k.Want), number(k.Got))
	case *kind.Maximum:
		return say("must be at most %s, got %s", number(k.Want), number(k.Got))
	case *kind.MinLength:
		return say("must have at least %d characters, has %d", k.Want, k.Got)
	case *kind.MaxLength:
		return say("must have at most %d characters, has %d", k.Want, k.Got)
	case *kind.MinItems:
		return say("must have at least %d items, has %d", k.Want, k.Got)
	case *kind.MaxItems:
		return say("must have at most %d items, has %d", k.Want, k.Got)
	}
	return say("does not satisfy the schema's %q", strings.Join(failure.KeywordPath(), "/"))
}

func eachField(parent string, names []string, say func(name string) string) []string {
	lines := make([]string, len(names))
	for i, name := range names {
		lines[i] = inField(parent, name) + ": " + say(name)
	}
	return lines
}

func unknownField(name string, within *reflector.Schema) string {
	var known []string
	if within != nil && within.Properties != nil {
		for pair := within.Properties.Oldest(); pair != nil; pair = pair.Next() {
			known = append(known, pair.Key)
		}
	}
	if near := excerpt.Nearest(name, known, 1); len(near) > 0 {
		return "unknown field; did you mean " + near[0] + "?"
	}
	return "unknown field"
}

// child returns the schema one step below, or nil where nothing is described.
func child(schema *reflector.Schema, step string) *reflector.Schema {
	if schema == nil {
		return nil
	}
	if schema.Properties != nil {
		if property, ok := schema.Properties.Get(step); ok {
			return property
		}
	}
	return schema.Items
}

// fieldPath writes a location as a person would: edges[1].from.
func fieldPath(location []string) string {
	var path string
	for _, step := range location {
		if _, err := strconv.Atoi(step); err == nil {
			path += "[" + step + "]"
		} else {
			path = inField(path, step)
		}
	}
	return path
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

func number(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
