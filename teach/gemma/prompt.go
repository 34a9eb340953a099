package gemma

import (
	"fmt"
	"strings"

	"tidepool/internal/ollama"
	"tidepool/internal/wording"
	"tidepool/teach"
)

// Limits of foreign text in a prompt, in runes.
const (
	maxTopic = 500
	maxName  = 160
	maxLine  = 240
)

// maxCandidates bounds the candidates of one question: a small model loses its way
// in a long list, and its answer has to fit into num_predict.
const maxCandidates = 12

// choices are the candidates by the names that the model reads.
type choices struct {
	names []string // no two alike
}

func choicesOf(candidates []teach.Link) choices {
	var o choices
	seen := make(map[string]int)
	for _, c := range candidates {
		name := ollama.Neutral(wording.Clip(strings.ReplaceAll(c.To.Name, ",", " "), maxName)) // as the model sees it, and so as it answers
		seen[name]++
		if n := seen[name]; n > 1 {
			name = fmt.Sprintf("%s#%d", name, n)
		}
		o.names = append(o.names, name)
	}
	return o
}

// tool returns what the model may call. Of a parameter it sees the description alone,
// so what may be selected stands there, too.
func (o choices) tool() ollama.Tool {
	return ollama.Tool{
		Name:        "select_symbols",
		Description: "Select relevant symbols from candidates",
		Parameters: []ollama.Parameter{{
			Name: "selected", Type: "array", OneOf: o.names,
			Description: "The most important first, at most 5, none if none helps. Only of these: " + strings.Join(o.names, ", "),
		}},
	}
}

func promptFor(q teach.Question, o choices) ollama.Prompt {
	var b strings.Builder
	for _, line := range []struct {
		name, text string
		limit      int
	}{
		{"Topic", q.Topic, maxTopic},
		{"Symbol", q.Of.Name, maxName},
		{"Signature", q.Of.Line, maxLine},
		{"Candidates", strings.Join(o.names, ", "), maxCandidates * (maxName + 4)},
	} {
		fmt.Fprintf(&b, "%s: %s\n", line.name, wording.Clip(strings.Join(strings.Fields(line.text), " "), line.limit))
	}
	b.WriteString("\nSelect the candidates that help understand this symbol in context of the topic.")
	return ollama.Prompt{User: b.String(), Tool: o.tool()}
}
