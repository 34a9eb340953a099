package ollama

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ollama/ollama/api"
)

// Arguments are those of a tool call. Names have lost the blanks and quotes that
// a model writes around them.
type Arguments struct {
	values     map[string]any
	remembered bool
}

// Remembered reports whether the model was not asked for these: it had answered
// before.
func (a Arguments) Remembered() bool { return a.remembered }

func newArguments(call *api.ToolCallFunctionArguments) Arguments {
	a := Arguments{values: make(map[string]any)}
	for name, value := range call.All() {
		a.values[bare(name)] = value // of two that differ only in blanks, the last wins, as in Ollama
	}
	return a
}

// Int returns an integer from low to high. The digits may come as a string.
// A number outside is an error, not the nearest limit: Ollama reads "2024-01-01"
// as 2024 and "50%" as 50, so a number out of range is no strong opinion but an
// answer to something else.
func (a Arguments) Int(name string, low, high int) (int, error) {
	value, ok := a.values[name]
	if !ok {
		return 0, badArgument("%s is missing", name)
	}
	number, isNumber := value.(float64)
	if text, isText := value.(string); isText {
		n, err := strconv.Atoi(bare(text))
		number, isNumber = float64(n), err == nil
	}
	switch {
	case !isNumber:
		return 0, badArgument("%s is %s, not a number", name, show(value))
	case number != math.Trunc(number) || number < float64(low) || number > float64(high):
		return 0, badArgument("%s is %s, not a whole number from %d to %d", name, show(value), low, high)
	}
	return int(number), nil
}

// Text returns a string as one short line, without the marks of one that the
// model began and did not end; "" if it is missing or no string.
func (a Arguments) Text(name string) string {
	text, _ := a.values[name].(string)
	return oneLine(bare(strings.ReplaceAll(text, "<escape>", "")))
}

// missing returns the first required parameter that has no argument.
func (a Arguments) missing(tool Tool) string {
	for _, p := range tool.Parameters {
		if _, ok := a.values[p.Name]; !ok && !p.Optional {
			return p.Name
		}
	}
	return ""
}

func badArgument(format string, args ...any) *Error {
	return &Error{Kind: BadArgument, Detail: fmt.Sprintf(format, args...)}
}

func show(value any) string { return oneLine(fmt.Sprintf("%#v", value)) }

// bare trims blanks and quotes.
func bare(text string) string { return strings.Trim(strings.TrimSpace(text), "\"' ") }
