package tools

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// spellings returns what clients call an argument of a meaning; nil if there is no such meaning. A field of a tool's In has a meaning by
// its tag, as in means:"symbol". The tool then takes the argument under any of these names that is not the name of another one.
//
// No argument has a meaning here that rules or permissions look at, such as a command or a path: they know it by one name.
func spellings(meaning string) []string {
	switch meaning {
	case "symbol": // declarations, by their names
		return []string{"name", "names", "symbol", "symbols", "type_name", "seed", "seeds"}
	case "question": // what is asked, in words
		return []string{"question", "query", "topic", "prompt"}
	case "count": // how many results there may be
		return []string{"limit", "max_results"}
	case "issue":
		return []string{"bead_id", "bead_ids"}
	}
	return nil
}

// meant returns, by spelling, the properties that an argument of this name may mean. Names of properties are not in it.
func meant(typ reflect.Type, schema *jsonschema.Schema) (map[string][]string, error) {
	all := make(map[string][]string)
	for _, field := range reflect.VisibleFields(typ) {
		meaning, has := field.Tag.Lookup("means")
		if !has {
			continue
		}
		names := spellings(meaning)
		if names == nil {
			return nil, fmt.Errorf("%s.%s: no argument means %q", typ, field.Name, meaning)
		}
		property, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		for _, name := range names {
			if _, own := propertyOf(schema, name); !own {
				all[name] = append(all[name], property)
			}
		}
	}
	return all, nil
}

// certain returns the spellings that mean one property only, with it.
func certain(meant map[string][]string) map[string]string {
	all := make(map[string]string)
	for name, properties := range meant {
		if len(properties) == 1 {
			all[name] = properties[0]
		}
	}
	return all
}
