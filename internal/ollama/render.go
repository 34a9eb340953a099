package ollama

import (
	"fmt"
	"strings"

	"github.com/ollama/ollama/model/renderers"
)

// Render returns the text that Ollama makes of a prompt for FunctionGemma, up to where the model begins to write, but for
// the token that begins every text: whoever trains a model adds it.
func (p Prompt) Render() (string, error) {
	request := Options{}.withDefaults().callRequest(p)
	text, err := renderers.RenderWithRenderer("functiongemma", request.Messages, request.Tools, nil)
	if err != nil {
		return "", fmt.Errorf("rendering a prompt: %w", err)
	}
	return strings.TrimPrefix(text, "<bos>"), nil
}
