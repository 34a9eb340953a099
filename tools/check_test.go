package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	invopop "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// check and a validator of all of JSON schema agree about every schema of the product.
func TestCheckAgreesWithAValidator(t *testing.T) {
	raw, err := os.ReadFile("testdata/tools.golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var definitions []Definition
	if err := json.Unmarshal(raw, &definitions); err != nil {
		t.Fatal(err)
	}
	definitions = append(definitions, newEcho(t).Definitions()...)
	both := map[bool]bool{}
	for _, d := range definitions {
		t.Run(d.Name, func(t *testing.T) {
			ours, theirs := decodeSchema(t, d.InputSchema), compileSchema(t, d.InputSchema)
			rapid.Check(t, func(t *rapid.T) {
				raw, err := json.Marshal(drawFor(t, ours))
				if err != nil {
					t.Fatal(err)
				}
				value, err := parse(raw)
				if err != nil {
					t.Fatal(err)
				}
				problems, refused := check(ours, value, ""), theirs.Validate(value)
				if (len(problems) == 0) != (refused == nil) {
					t.Fatalf("%s: check has %q, the validator %v", raw, problems, refused)
				}
				both[refused == nil] = true
			})
		})
	}
	if len(both) != 2 {
		t.Errorf("the arguments were all valid, or all invalid: %v", both)
	}
}

// check and the validator agree about a string that is exactly as long as it may be, and about one that is longer by a
// character, for each long string of the product.
func TestCheckAgreesAboutLongStrings(t *testing.T) {
	raw, err := os.ReadFile("testdata/tools.golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var definitions []Definition
	if err := json.Unmarshal(raw, &definitions); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, d := range definitions {
		for pair := decodeSchema(t, d.InputSchema).Properties.Oldest(); pair != nil; pair = pair.Next() {
			if most := pair.Value.MaxLength; most != nil && *most >= longString {
				tried++
				t.Run(d.Name+" "+pair.Key, func(t *testing.T) { agreeAtBound(t, pair.Value, int(*most)) })
			}
		}
	}
	if tried == 0 {
		t.Error("no tool takes a long string")
	}
}

func agreeAtBound(t *testing.T, ours *invopop.Schema, most int) {
	raw, err := json.Marshal(ours)
	if err != nil {
		t.Fatal(err)
	}
	theirs := compileSchema(t, raw)
	for over := range 2 {
		value := strings.Repeat("ü", most+over)
		problems, refused := check(ours, value, ""), theirs.Validate(value)
		if len(problems) != over || (refused != nil) != (over > 0) {
			t.Errorf("%d over the bound: check has %q, the validator %v", over, problems, refused != nil)
		}
	}
}

func decodeSchema(t *testing.T, raw []byte) *invopop.Schema {
	t.Helper()
	schema := new(invopop.Schema)
	if err := json.Unmarshal(raw, schema); err != nil {
		t.Fatal(err)
	}
	if err := checkKeywords(schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

func compileSchema(t *testing.T, raw []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tool", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("tool")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// drawFor draws a value that often satisfies schema, and else misses it by little.
func drawFor(t *rapid.T, schema *invopop.Schema) any {
	if rapid.IntRange(0, 19).Draw(t, "astray") == 0 {
		return rapid.SampledFrom([]any{nil, true, "", 1, 1.5, 1e30, []any{}, map[string]any{}}).Draw(t, "other")
	}
	switch {
	case len(schema.OneOf) > 0:
		return drawFor(t, rapid.SampledFrom(schema.OneOf).Draw(t, "alternative"))
	case len(schema.Enum) > 0:
		return rapid.SampledFrom(append(slices.Clip(schema.Enum), "none")).Draw(t, "enum")
	}
	switch schema.Type {
	case "object":
		return drawObject(t, schema)
	case "array":
		return drawItems(t, schema)
	case "string":
		return drawString(t, schema)
	case "integer", "number":
		return drawNumber(t, schema)
	}
	return rapid.Bool().Draw(t, "boolean")
}

func drawObject(t *rapid.T, schema *invopop.Schema) any {
	object := make(map[string]any)
	for pair := schema.Properties.Oldest(); pair != nil; pair = pair.Next() {
		often := slices.Contains(schema.Required, pair.Key)
		if rapid.IntRange(0, 9).Draw(t, "chosen") < 3 || often && rapid.IntRange(0, 19).Draw(t, "kept") > 0 {
			object[pair.Key] = drawFor(t, pair.Value)
		}
	}
	if rapid.IntRange(0, 19).Draw(t, "extra") == 0 {
		object["extra"] = 1
	}
	return object
}

func drawItems(t *rapid.T, schema *invopop.Schema) any {
	items := []any{}
	for range min(near(t, schema.MinItems, schema.MaxItems), 70) {
		items = append(items, drawFor(t, schema.Items))
	}
	return items
}

// longString is the bound from which on drawString seldom draws a string of about that length, because the race detector
// makes each cost up to half a second. TestCheckAgreesAboutLongStrings tries both sides of each such bound.
const longString = 1 << 16

func drawString(t *rapid.T, schema *invopop.Schema) string {
	most := schema.MaxLength
	if most != nil && *most >= longString && rapid.IntRange(0, 19).Draw(t, "long") > 0 {
		most = nil
	}
	return strings.Repeat("ü", near(t, schema.MinLength, most))
}

func drawNumber(t *rapid.T, schema *invopop.Schema) any {
	bounds := []json.Number{"0", schema.Minimum, schema.Maximum, schema.Minimum, schema.Maximum}
	bounds = slices.DeleteFunc(bounds, func(n json.Number) bool { return n == "" })
	return float(rapid.SampledFrom(bounds).Draw(t, "bound")) + rapid.SampledFrom([]float64{0, 0, 1, -1, 0.5}).Draw(t, "off")
}

// near draws a size at or beside one of the bounds.
func near(t *rapid.T, least, most *uint64) int {
	sizes := []int{0, 1, 2}
	for _, bound := range []*uint64{least, most} {
		if bound != nil {
			sizes = append(sizes, int(*bound), int(*bound)+1, max(int(*bound)-1, 0))
		}
	}
	return rapid.SampledFrom(sizes).Draw(t, "size")
}

// A number that would need a gigabyte to be exact is compared, and refused, at once.
func TestEnormousNumber(t *testing.T) {
	_, err := newEcho(t).Call(t.Context(), Call{Tool: "echo"}, json.RawMessage(`{"name":"a","times":1e999999999}`))
	if err == nil || err.Error() != "times: must be at most 9, got +Inf" {
		t.Errorf("got %v", err)
	}
}

type (
	patterned struct{ texts }
	numbered  struct{ texts }
	mapped    struct{ texts }
)

func (patterned) Echo(context.Context, Call, struct {
	A string `json:"a" jsonschema:"pattern=^x" jsonschema_description:"A."`
}) (string, error) {
	return "", nil
}
func (numbered) Echo(context.Context, Call, struct {
	A int `json:"a" jsonschema:"enum=1,enum=2" jsonschema_description:"A."`
}) (string, error) {
	return "", nil
}
func (mapped) Echo(context.Context, Call, struct {
	A []map[string]int `json:"a" jsonschema_description:"A."`
}) (string, error) {
	return "", nil
}

// What nobody would check is no part of a schema.
func TestDiscoverRefusesKeywords(t *testing.T) {
	only := described("echo")
	tests := map[string]Toolset{
		`{"pattern":"^x"}`:     patterned{only},
		"1 in an enum":         numbered{only},
		"additionalProperties": mapped{only},
	}
	for want, toolset := range tests {
		err := NewRegistry().Discover(toolset)
		if err == nil || !strings.Contains(err.Error(), "cannot be checked against") || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: got %v, want %q", toolset, err, want)
		}
	}
}
