package e2e

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// dig returns the value at a dotted path of a JSON document: "a.0.b".
func dig(document []byte, path string) (string, error) {
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		return "", err
	}
	for step := range strings.SplitSeq(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			value = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(at) {
				return "", fmt.Errorf("%s: no element %s", path, step)
			}
			value = at[i]
		default:
			return "", fmt.Errorf("%s: nothing at %s", path, step)
		}
	}
	if f, ok := value.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64), nil
	}
	return fmt.Sprint(value), nil
}
