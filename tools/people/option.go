package people

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/invopop/jsonschema"

	"tidepool/internal/ask"
	"tidepool/protocol"
	"tidepool/tools"
)

// An option is what can be chosen: in JSON a text, or a pair of an id and a label.
type option struct {
	id    string // what is returned; "": the label
	label string // what is shown
}

// pair is what error messages call an option's longer form.
const pair = `pair ["id", "label"]`

// UnmarshalJSON accepts both forms.
func (o *option) UnmarshalJSON(data []byte) error {
	*o = option{}
	if json.Unmarshal(data, &o.label) == nil {
		return nil
	}
	var parts []string
	if err := json.Unmarshal(data, &parts); err != nil || len(parts) != 2 {
		return errors.Join(fmt.Errorf("an option is a text or a %s", pair), err)
	}
	*o = option{parts[0], parts[1]}
	return nil
}

// JSONSchema describes both forms. Neither text of a pair is empty.
func (option) JSONSchema() *jsonschema.Schema {
	one, two := uint64(1), uint64(2)
	text := &jsonschema.Schema{Type: "string", MinLength: &one}
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{text, {Title: pair, Type: "array", Items: text, MinItems: &two, MaxItems: &two}}}
}

// questionOptions returns the options of a question, and by their ids what select_option returns for them. A text is its own id, if a
// person can name it so; else its number is.
func questionOptions(options []option) (shown []protocol.QuestionOption, returned map[string]string, err error) {
	returned = make(map[string]string)
	for i, o := range options {
		id, value := o.id, o.id
		if o.id == "" {
			id, value = strings.TrimSpace(o.label), o.label
			if !isOptionID(id) {
				id = fmt.Sprint(i + 1)
			}
		}
		var problem string
		_, taken := returned[id]
		switch {
		case strings.TrimSpace(o.label) == "":
			problem = "it shows nothing"
		case taken:
			problem = fmt.Sprintf("another one returns %q, too", id)
		case !isOptionID(id):
			problem = fmt.Sprintf("its id has more than %d bytes, or characters that cannot be printed", maxOptionID)
		}
		if problem != "" {
			return nil, nil, &tools.ArgumentError{
				Tool: "select_option", Problems: []string{fmt.Sprintf("options[%d]: %s", i, problem)},
				Accepts: "options that are texts, or each a " + pair + ": the id is returned, the label is shown",
			}
		}
		returned[id] = value
		shown = append(shown, protocol.QuestionOption{ID: id, Label: o.label})
	}
	return shown, returned, nil
}

// maxOptionID bounds an option's id, in bytes.
const maxOptionID = 100

// isOptionID reports whether a person can name an option so.
func isOptionID(id string) bool {
	return id != "" && len(id) <= maxOptionID && id == strings.TrimSpace(ask.Plain(id)) && !strings.Contains(id, "\n")
}
