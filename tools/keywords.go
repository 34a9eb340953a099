package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"
)

// checkKeywords refuses a schema that has a keyword which check would pass over, at any depth.
func checkKeywords(schema *jsonschema.Schema) error {
	if rest := unchecked(*schema); !reflect.ValueOf(rest).IsZero() {
		text, err := json.Marshal(&rest)
		return errors.Join(fmt.Errorf("arguments cannot be checked against %s", text), err)
	}
	if err := checkValues(schema); err != nil {
		return err
	}
	for _, below := range subschemas(schema) {
		if err := checkKeywords(below); err != nil {
			return err
		}
	}
	return nil
}

// unchecked returns schema without the keywords that check knows or need not know.
func unchecked(schema jsonschema.Schema) jsonschema.Schema {
	schema.Title, schema.Description, schema.Default, schema.Examples = "", "", nil, nil
	schema.Type, schema.Enum, schema.OneOf = "", nil, nil
	schema.Required, schema.Properties, schema.AdditionalProperties = nil, nil, nil
	schema.Items, schema.MinItems, schema.MaxItems = nil, nil, nil
	schema.MinLength, schema.MaxLength, schema.Minimum, schema.Maximum = nil, nil, "", ""
	return schema
}

// checkValues refuses what check does not expect as the value of a keyword.
func checkValues(schema *jsonschema.Schema) error {
	if extra := schema.AdditionalProperties; extra != nil && !reflect.DeepEqual(extra, jsonschema.FalseSchema) {
		return errors.New("arguments cannot be checked against additionalProperties that are not false")
	}
	for _, value := range schema.Enum {
		if _, ok := value.(string); !ok {
			return fmt.Errorf("arguments cannot be checked against %v in an enum: it is a %T, not a string", value, value)
		}
	}
	return nil
}

func subschemas(schema *jsonschema.Schema) []*jsonschema.Schema {
	all := append([]*jsonschema.Schema(nil), schema.OneOf...)
	if schema.Items != nil {
		all = append(all, schema.Items)
	}
	if schema.Properties != nil {
		for pair := schema.Properties.Oldest(); pair != nil; pair = pair.Next() {
			all = append(all, pair.Value)
		}
	}
	return all
}
