package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/invopop/jsonschema"
)

// check returns what is wrong with value, which is at field, in the order of the schema. value is what parse returns. check knows the keywords
// that checkKeywords lets through, and no others.
//
// A library would know them all. santhosh-tekuri/jsonschema costs 4.5 ms of each start of the daemon, because it compiles every draft's
// meta-schema; google/jsonschema-go stops at the first error and has it as a string, without the field. The tests compare check with the former.
func check(schema *jsonschema.Schema, value any, field string) []string {
	say := func(format string, args ...any) []string {
		return []string{inField(field, "") + ": " + fmt.Sprintf(format, args...)}
	}
	switch {
	case schema.Type != "" && !fits(schema.Type, value):
		return say("expected %s, got %s", article(schema.Type), article(typeOf(value)))
	case len(schema.Enum) > 0 && !slices.Contains(schema.Enum, value):
		return say("expected one of %s, got %s", strings.Join(quoteAll(schema.Enum), ", "), quoteAll([]any{value})[0])
	case len(schema.OneOf) > 0 && !fitsOne(schema.OneOf, value):
		if meant := alternative(schema.OneOf, value); meant != nil {
			return check(meant, value, field)
		}
		return say("expected %s", article(typesOf(schema)...))
	}
	switch value := value.(type) {
	case map[string]any:
		return checkObject(schema, value, field)
	case []any:
		return append(checkSize(schema.MinItems, schema.MaxItems, len(value), "items", say), checkItems(schema, value, field)...)
	case string:
		return checkSize(schema.MinLength, schema.MaxLength, utf8.RuneCountInString(value), "characters", say)
	case json.Number:
		return checkNumber(schema, value, say)
	}
	return nil
}

// fitsOne reports whether exactly one of the alternatives accepts value.
func fitsOne(alternatives []*jsonschema.Schema, value any) bool {
	accepted := 0
	for _, alternative := range alternatives {
		if len(check(alternative, value, "")) == 0 {
			accepted++
		}
	}
	return accepted == 1
}

// alternative returns the only alternative whose type a value has; nil if several have it, or if it has a title, which says more than
// its problems would.
func alternative(alternatives []*jsonschema.Schema, value any) *jsonschema.Schema {
	of := slices.DeleteFunc(slices.Clone(alternatives), func(a *jsonschema.Schema) bool { return a.Type != "" && !fits(a.Type, value) })
	if len(of) == 1 && of[0].Title == "" {
		return of[0]
	}
	return nil
}

func checkObject(schema *jsonschema.Schema, object map[string]any, field string) (problems []string) {
	var meant []string // by fields that are not known
	for name, value := range object {
		switch property, known := propertyOf(schema, name); {
		case known:
			problems = append(problems, check(property, value, inField(field, name))...)
		case schema.AdditionalProperties != nil: // false: see checkKeywords
			near := nearest(name, schema)
			meant = append(meant, near...)
			problems = append(problems, unknownField(field, name, near))
		}
	}
	for _, name := range schema.Required {
		if _, ok := object[name]; !ok && !slices.Contains(meant, name) {
			problems = append(problems, inField(field, name)+": is required")
		}
	}
	return problems
}

func checkItems(schema *jsonschema.Schema, items []any, field string) (problems []string) {
	if schema.Items == nil {
		return nil
	}
	for i, item := range items {
		problems = append(problems, check(schema.Items, item, field+"["+strconv.Itoa(i)+"]")...)
	}
	return problems
}

func checkSize(least, most *uint64, size int, unit string, say func(string, ...any) []string) []string {
	switch {
	case least != nil && uint64(size) < *least:
		return say("must have at least %d %s, has %d", *least, unit, size)
	case most != nil && uint64(size) > *most:
		return say("must have at most %d %s, has %d", *most, unit, size)
	}
	return nil
}

func checkNumber(schema *jsonschema.Schema, number json.Number, say func(string, ...any) []string) []string {
	switch n := float(number); {
	case schema.Minimum != "" && n < float(schema.Minimum):
		return say("must be at least %s, got %s", schema.Minimum, shortest(n))
	case schema.Maximum != "" && n > float(schema.Maximum):
		return say("must be at most %s, got %s", schema.Maximum, shortest(n))
	}
	return nil
}
