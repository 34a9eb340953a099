package recollect

import (
	"context"
	"strings"
	"unicode"

	"tidepool/internal/hook"
	"tidepool/internal/recall"
	"tidepool/internal/recall/extractor"
)

// maxQuery is how many bytes of a prompt are compared with memories, half of them of its beginning and half of its end. Between
// them stands what was pasted.
const maxQuery = 16 << 10

// prompt learns from a prompt, and returns what it is told.
func (c *Contributor) prompt(ctx context.Context, e *hook.Event) string {
	if !isTyped(e) {
		return ""
	}
	opened, ctx, cancel := c.get(ctx, 0, openingTime)
	defer cancel()
	c.begin(opened, e)
	conversation := c.conversation(ctx, opened, e)
	defer c.learn(opened, taughtBy(e.PromptID, conversation.Prompt(e.Prompt, c.options.Now()))) // last: a prompt is not told what it teaches
	if opened == nil || e.AgentID != "" {
		return ""
	}
	if opened.Extractor != nil {
		c.turns.ask(extractor.Turn{Session: e.SessionID, Number: conversation.Turn(), Prompt: queryOf(e.Prompt), At: c.options.Now()})
	}
	told, err := c.recollect(ctx, opened, e.SessionID, e.Prompt)
	if err != nil {
		c.options.Log.DebugContext(ctx, "a prompt is told nothing", "err", err)
	}
	return promptText(told, c.options.Now())
}

// recollect returns what a prompt is told. It waits until the index is loaded, as long as ctx allows.
func (c *Contributor) recollect(ctx context.Context, opened *Opened, session, prompt string) ([]recall.Hit, error) {
	if err := opened.Store.Ready(ctx); err != nil {
		return nil, err
	}
	told, err := opened.Store.Recollect(ctx, recall.Prompt{Session: session, Text: queryOf(prompt), Loaded: c.loaded.of(session)})
	if len(told.Memories) == 0 {
		c.silent.Add(1)
	}
	c.told.Add(int64(len(told.Memories)))
	return told.Memories, err
}

// Recollect returns what a prompt of a session is told, without learning from it: whoever asks so has hooks of its own.
func (c *Contributor) Recollect(ctx context.Context, session, prompt string) ([]recall.Hit, error) {
	opened, err := c.options.Opener.Get(ctx)
	if err != nil {
		return nil, err
	}
	return c.recollect(ctx, opened, session, prompt)
}

// isTyped reports whether a person typed the prompt: no timer, no poll, and no slash command, whose expansion is another text.
func isTyped(e *hook.Event) bool {
	switch e.Source {
	case "", "user", "sdk":
	default:
		return false
	}
	return strings.TrimSpace(e.Prompt) != "" && !isCommand(e.Prompt)
}

// isCommand reports whether a prompt is a slash command: "/name" or "/name arguments". A path has a second slash.
func isCommand(prompt string) bool {
	name, is := strings.CutPrefix(strings.TrimSpace(prompt), "/")
	if !is {
		return false
	}
	if end := strings.IndexFunc(name, unicode.IsSpace); end >= 0 {
		name = name[:end]
	}
	return name != "" && !strings.Contains(name, "/")
}

// queryOf returns what of a prompt is compared with memories.
func queryOf(prompt string) string {
	if len(prompt) <= maxQuery {
		return prompt
	}
	return strings.ToValidUTF8(prompt[:maxQuery/2], "") + "\n" + strings.ToValidUTF8(prompt[len(prompt)-maxQuery/2:], "")
}
