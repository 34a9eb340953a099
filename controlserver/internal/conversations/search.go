package conversations

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"

	"tidepool/controlserver/internal/archive"
	"tidepool/controlserver/internal/command"
	"tidepool/protocol"
	"tidepool/tools"
	conversationtools "tidepool/tools/conversation"
)

// Search finds what was said in old conversations.
type Search struct {
	Words     []string `arg:"" help:"Words of what was said. A \"quoted phrase\" must occur: '\"connection refused\" retry'."`
	Since     string   `help:"Only turns since then: 2w (m, h, d, w, y), yesterday, 2025-11-03." placeholder:"WHEN"`
	Until     string   `help:"Only turns before then." placeholder:"WHEN"`
	Session   string   `help:"Only this session: its id, or the beginning of it." placeholder:"ID"`
	Role      string   `help:"Only prompts (user), or only answers (assistant)." enum:",user,assistant" default:""`
	Subagents bool     `help:"What subagents did, too."`
	All       bool     `help:"Search the conversations of all projects. Only a person may."`
	Limit     int      `short:"n" help:"How many turns to print." default:"10"`
	JSON      bool     `help:"Print one JSON object."`
}

// everything is the budget of an answer that is not cut, in tokens.
const everything = math.MaxInt32

// Run prints the turns that match, best first.
func (c *Search) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	opened, err := openArchive(ctx, place, std, c.All)
	if err != nil {
		return err
	}
	defer opened.Close()
	found, err := asking(opened).SearchConversations(ctx, tools.Call{}, conversationtools.SearchConversationsInput{
		Query: strings.Join(c.Words, " "), Limit: max(1, min(c.Limit, 200)), SessionID: c.Session, Since: c.Since, Until: c.Until,
		Role: c.Role, Subagents: c.Subagents, Budget: everything,
	})
	if err != nil {
		return err
	}
	return printAnswer(std, found, c.JSON)
}

// asking returns the tools, for a shell.
func asking(source archive.Source) *conversationtools.Toolset {
	home, _ := os.UserHomeDir() // without one, paths are written whole
	return &conversationtools.Toolset{Archive: source, Home: home, Shell: true}
}

// printAnswer writes what a tool has found, as the model reads it or as an object. Both are free of control characters.
func printAnswer(std command.Stdio, answer interface{ Text() string }, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprint(std.Out, answer.Text())
		return err
	}
	enc := json.NewEncoder(std.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(answer)
}
