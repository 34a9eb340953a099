package scout

import (
	"encoding/json"
	"strings"

	"github.com/invopop/jsonschema"

	"tidepool/scout"
	"tidepool/tools"
	"tidepool/tools/internal/query"
)

// Input is what scout takes.
type Input struct {
	Query   string      `json:"query" means:"question" jsonschema:"minLength=1,maxLength=2000" jsonschema_description:"The question in words: what breaks if I add a parameter to Encode?"`
	Symbols query.Names `json:"symbols,omitempty" means:"symbol" jsonschema_description:"Where to start: F, T.M, pkg.F, pkg.T.M, T.Field, with a file before it, web/src/user.ts:User.rename, or the place of a declaration, web/src/user.ts:41; an array, or names with commas between them. Without it, the identifiers in the query."`
	Depth   scout.Depth `json:"depth,omitempty" jsonschema:"enum=low,enum=medium,enum=high,default=medium" jsonschema_description:"How many declarations to look at: low 10, medium 30, high 100. What a compiler refuses is listed beyond that."`
	Change  change      `json:"change,omitzero" jsonschema_description:"The edit that is planned. Give it whenever you know it: only an edit that is wholly said is tried out. Without it, it is guessed from the words of the query."`
	Explain bool        `json:"explain,omitempty" jsonschema_description:"Say of each place that scores decided about what the score is made of. For people who wonder at an answer."`
	tools.Wait
}

// change gives scout.Change a schema: a kind, or an object with the kind and details.
type change scout.Change

// UnmarshalJSON accepts what the schema does.
func (c *change) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, (*scout.Change)(c))
}

// JSONSchema describes both forms.
func (change) JSONSchema() *jsonschema.Schema {
	kind := &jsonschema.Schema{Type: "string"}
	var meanings []string
	for _, k := range scout.ChangeKinds() {
		kind.Enum = append(kind.Enum, string(k))
		meanings = append(meanings, string(k)+": "+k.Meaning())
	}
	object := &jsonschema.Schema{
		Type: "object", Properties: jsonschema.NewProperties(), Required: []string{"kind"}, AdditionalProperties: jsonschema.FalseSchema,
	}
	object.Properties.Set("kind", kind)
	object.Properties.Set("detail", &jsonschema.Schema{Type: "string", Description: "The edit as code. Each kind with what its detail looks like:\n" + strings.Join(meanings, "\n")})
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{kind, object}}
}
