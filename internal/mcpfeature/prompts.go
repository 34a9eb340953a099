package mcpfeature

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tidepool/internal/wording"
)

//go:embed prompt/*.md
var texts embed.FS

// maxArgument bounds an argument of a prompt, in characters.
const maxArgument = 500

// A prompt is one entry of prompts/list. Its text is prompt/<name>.md, in which {argument} stands for the argument in quotes. A line
// with an argument that was not given is left out.
type prompt struct {
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	Arguments   []argument `json:"arguments"`
}

type argument struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"required,omitempty"`
}

// prompts returns the prompts in the order of their names.
func prompts() []prompt {
	return []prompt{
		{"explain", "Explain how it works", "Explain how a part of this code works, in an order in which it can be learned.", []argument{
			{"topic", "What is to be understood; several words in double quotes.", true},
			{"symbol", "Where it begins: a type, function or method, such as Registry.Discover.", false},
		}},
		{"failing-test", "Find why a test fails", "Run a test unasked and confined, and find why it fails: by the code it runs, and by what was learned before.", []argument{
			{"test", "Its name, or the command that runs it; several words in double quotes.", true},
		}},
		{"history", "What we did about it", "Find what was said, decided and learned about a topic in earlier sessions.", []argument{
			{"topic", "A word, name, file or error; several words in double quotes.", true},
		}},
		{"impact", "What a change breaks", "Find what a planned change breaks, and which tests cover it, before anything is edited.", []argument{
			{"symbol", "What is to be changed: a type, function, method or field, such as Registry.Discover.", true},
			{"change", "The change; several words in double quotes.", false},
		}},
	}
}

func listPrompts(params json.RawMessage) (json.RawMessage, error) {
	p, err := decode[struct{ Cursor string }]("prompts/list", params)
	switch {
	case err != nil:
		return nil, err
	case p.Cursor != "":
		return nil, invalid("prompts/list has one page: ask without a cursor")
	}
	return encode(map[string]any{"prompts": prompts()})
}

// A message is what a model reads of a prompt.
type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func getPrompt(params json.RawMessage) (json.RawMessage, error) {
	p, err := decode[struct {
		Name      string
		Arguments map[string]string
	}]("prompts/get", params)
	if err != nil {
		return nil, err
	}
	found, err := promptNamed(p.Name)
	if err != nil {
		return nil, err
	}
	if err := found.check(p.Arguments); err != nil {
		return nil, err
	}
	text, err := found.text(p.Arguments)
	if err != nil {
		return nil, err
	}
	return encode(map[string]any{
		"description": found.Description,
		"messages":    []message{{"user", content{"text", text}}},
	})
}

func promptNamed(name string) (prompt, error) {
	var names []string
	for _, p := range prompts() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return prompt{}, invalid("there is no prompt %q: use %s", foreign(name), strings.Join(names, ", "))
}

// check returns what is wrong with arguments.
func (p prompt) check(given map[string]string) error {
	for _, a := range p.Arguments {
		value := given[a.Name]
		if n := utf8.RuneCountInString(value); n > maxArgument {
			return invalid("%s: %s has %d characters: give at most %d", p.Name, a.Name, n, maxArgument)
		}
		if a.Required && strings.TrimSpace(value) == "" {
			return invalid("%s needs %s: %s", p.Name, a.Name, a.Description)
		}
	}
	for name := range given {
		if err := p.checkName(name); err != nil {
			return err
		}
	}
	return nil
}

// checkName returns an error if there is no argument of that name.
func (p prompt) checkName(name string) error {
	var names []string
	for _, a := range p.Arguments {
		names = append(names, a.Name)
	}
	if slices.Contains(names, name) {
		return nil
	}
	return invalid("%s has no argument %q: it has %s", p.Name, foreign(name), strings.Join(names, ", "))
}

// text returns the prompt for a model.
func (p prompt) text(given map[string]string) (string, error) {
	raw, err := fs.ReadFile(texts, "prompt/"+p.Name+".md")
	if err != nil {
		return "", fmt.Errorf("reading the prompt: %w", err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(raw)) {
		if filled, is := p.fill(line, given); is {
			b.WriteString(filled)
		}
	}
	return strings.TrimSpace(b.String()), nil
}

// fill replaces the arguments of a line, all at once: one that contains a placeholder stays as it is. It returns false if one of them
// was not given.
func (p prompt) fill(line string, given map[string]string) (string, bool) {
	var pairs []string
	for _, a := range p.Arguments {
		placeholder, value := "{"+a.Name+"}", quoted(given[a.Name])
		if value == `""` && strings.Contains(line, placeholder) {
			return "", false
		}
		pairs = append(pairs, placeholder, value)
	}
	return strings.NewReplacer(pairs...).Replace(line), true
}

// quoted returns an argument as a quotation on one line.
func quoted(value string) string { return strconv.Quote(wording.Stored(value, maxArgument)) }
