package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// settle gives arguments the names and the shapes of the schema. It reports whether they are others now, and returns what it cannot decide.
func (in *input) settle(arguments map[string]any) (changed bool, problems []string) {
	changed, problems = in.rename(arguments)
	for name, value := range arguments {
		property, known := propertyOf(in.described, name)
		if !known {
			continue
		}
		shaped, problem := in.shape(name, property, value)
		if problem != "" {
			problems = append(problems, name+": "+problem)
		}
		changed = changed || typeOf(shaped) != typeOf(value)
		arguments[name] = shaped
	}
	return changed, problems
}

// rename gives arguments the names of the properties that they mean.
func (in *input) rename(arguments map[string]any) (changed bool, problems []string) {
	given := make(map[string]string) // by property, the spelling that it has its value from
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		properties := in.meant[name]
		if len(properties) == 0 {
			continue
		}
		value := arguments[name]
		delete(arguments, name)
		changed = true
		property := properties[0]
		switch other := arguments[property]; {
		case value == nil:
		case len(properties) > 1:
			problems = append(problems, fmt.Sprintf("%s: may mean %s here: give the one that you mean", name, strings.Join(properties, " or ")))
		case other == nil:
			arguments[property], given[property] = value, name
		case !reflect.DeepEqual(only(value), only(other)):
			first := cmp.Or(given[property], property)
			problems = append(problems, fmt.Sprintf("%s and %s mean the same here, and their values differ: give %s alone", first, name, property))
		}
	}
	return changed, problems
}

// hasMeaning reports whether a property has other spellings.
func (in *input) hasMeaning(property string) bool {
	for _, properties := range in.meant {
		if slices.Contains(properties, property) {
			return true
		}
	}
	return false
}

// shape makes a list of one text where a list is wanted, and a text of a list of one where a text with a meaning is. It leaves what is
// wrong otherwise for check to see.
func (in *input) shape(name string, property *jsonschema.Schema, value any) (shaped any, problem string) {
	switch value := value.(type) {
	case string:
		if property.Type == "array" && takesText(property.Items) {
			return listOf(value)
		}
	case []any:
		if property.Type != "string" || !in.hasMeaning(name) {
			break
		}
		if len(value) > 1 {
			return value, fmt.Sprintf("takes one, not %d: call the tool once for each", len(value))
		}
		return only(value), ""
	}
	return value, ""
}

// listOf returns the list that a text stands for: the one item, or the JSON array that it holds.
func listOf(text string) (list any, problem string) {
	switch value, err := parse(json.RawMessage(text)); {
	case err == nil && typeOf(value) == "array":
		return value, ""
	case strings.TrimSpace(text) == "" || strings.HasPrefix(strings.TrimSpace(text), "["):
		return text, ""
	case strings.Contains(text, ","):
		return text, "expected an array: a text with commas may be one item or several"
	}
	return []any{text}, ""
}

// only returns the item of a list of one, and anything else as it is.
func only(value any) any {
	if list, is := value.([]any); is && len(list) == 1 {
		return list[0]
	}
	return value
}

// takesText reports whether an item of a list may be a text.
func takesText(item *jsonschema.Schema) bool {
	return item != nil && (item.Type == "string" || slices.ContainsFunc(item.OneOf, takesText))
}
