package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// describe returns the schema of a tool's In: one object, nothing referenced, nothing but what a client must know.
func describe(typ reflect.Type) (*jsonschema.Schema, error) {
	if err := refuseRecursion(typ, nil); err != nil {
		return nil, err
	}
	r := jsonschema.Reflector{DoNotReference: true, Anonymous: true}
	schema := r.ReflectFromType(typ)
	schema.Version = "" // a "$schema" key makes some clients drop the whole tool list
	if schema.Type != "object" {
		return nil, fmt.Errorf("%s does not describe an object", typ)
	}
	if err := checkKeywords(schema); err != nil {
		return nil, fmt.Errorf("%s: %w", typ, err)
	}
	return schema, checkProperties(schema, "")
}

// refuseRecursion protects the reflector, which would follow a type that contains itself until the stack overflows.
func refuseRecursion(typ reflect.Type, within []reflect.Type) error {
	if slices.Contains(within, typ) {
		return fmt.Errorf("the input type %s contains itself; a schema without references cannot describe it", typ)
	}
	if hasOwnSchema(typ) {
		return nil
	}
	within = append(slices.Clip(within), typ)
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return refuseRecursion(typ.Elem(), within)
	case reflect.Struct:
		for i := range typ.NumField() {
			if err := refuseRecursion(typ.Field(i).Type, within); err != nil {
				return err
			}
		}
	}
	return nil
}

func hasOwnSchema(typ reflect.Type) bool {
	_, own := reflect.PointerTo(typ).MethodByName("JSONSchema")
	return own
}

// checkProperties refuses what a model or the decoder could not make sense of: a property without a type or a
// description, and a default that is not on the top level, where nothing would fill it in.
func checkProperties(schema *jsonschema.Schema, path string) error {
	if schema.Properties == nil {
		return nil
	}
	for pair := schema.Properties.Oldest(); pair != nil; pair = pair.Next() {
		name, property := path+pair.Key, pair.Value
		switch {
		case property.Type == "" && len(property.OneOf) == 0:
			return fmt.Errorf("the property %q has no type", name)
		case property.Description == "":
			return fmt.Errorf("the property %q has no jsonschema_description tag", name)
		case path != "" && property.Default != nil:
			return fmt.Errorf("the nested property %q has a default, which nothing would apply", name)
		}
		nested := property
		if property.Items != nil {
			nested = property.Items
		}
		if err := checkProperties(nested, name+"."); err != nil {
			return err
		}
	}
	return nil
}

func defaultsOf(schema *jsonschema.Schema) map[string]any {
	defaults := make(map[string]any)
	if schema.Properties == nil {
		return defaults
	}
	for pair := schema.Properties.Oldest(); pair != nil; pair = pair.Next() {
		if pair.Value.Default != nil {
			defaults[pair.Key] = pair.Value.Default
		}
	}
	return defaults
}

// parameters says in one line what schema takes: "name (string, required), max_results (integer, default 50)".
func parameters(schema *jsonschema.Schema) string {
	if schema.Properties == nil || schema.Properties.Len() == 0 {
		return "no arguments"
	}
	var all []string
	for pair := schema.Properties.Oldest(); pair != nil; pair = pair.Next() {
		notes := []string{strings.Join(typesOf(pair.Value), " or ")}
		if slices.Contains(schema.Required, pair.Key) {
			notes = append(notes, "required")
		}
		if pair.Value.Default != nil {
			notes = append(notes, fmt.Sprintf("default %v", pair.Value.Default))
		}
		all = append(all, pair.Key+" ("+strings.Join(notes, ", ")+")")
	}
	return strings.Join(all, ", ")
}

// typesOf returns what a value of schema may be, in words: its title, values or types.
func typesOf(schema *jsonschema.Schema) []string {
	if len(schema.Enum) > 0 {
		return quoteAll(schema.Enum)
	}
	switch {
	case schema.Title != "":
		return []string{schema.Title}
	case schema.Type == "array" && schema.Items != nil && len(schema.Items.OneOf) > 0:
		return []string{"array of " + strings.Join(typesOf(schema.Items), " or ")}
	case schema.Type != "":
		return []string{schema.Type}
	}
	var types []string
	for _, alternative := range schema.OneOf {
		types = append(types, typesOf(alternative)...)
	}
	return types
}

func quoteAll(values []any) []string {
	quoted := make([]string, len(values))
	for i, v := range values {
		raw, err := json.Marshal(v)
		quoted[i] = cmp.Or(string(raw), fmt.Sprint(err))
	}
	return quoted
}
