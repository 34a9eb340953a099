package conversations

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/wording"
	"tidepool/protocol"
	"tidepool/tools"
	conversationtools "tidepool/tools/conversation"
)

type showCommand struct {
	Conversation string `arg:"" help:"The session's id, or the beginning of it; ID:TURN is one turn."`
	JSON         bool   `help:"Print JSON, one object for each 100 turns."`
}

// Run prints a conversation, a hundred turns at a time.
func (c *showCommand) Run(ctx context.Context, place protocol.Place, std command.Stdio) error {
	session, turn, one, err := cutTurn(c.Conversation)
	if err != nil {
		return err
	}
	opened, err := openArchive(ctx, place, std, false)
	if err != nil {
		return err
	}
	defer opened.Close()
	if one {
		read, err := asking(opened).ReadTurn(ctx, tools.Call{}, conversationtools.ReadTurnInput{SessionID: session, TurnNumber: turn, Budget: everything})
		if err != nil {
			return err
		}
		return printAnswer(std, read, c.JSON)
	}
	for next := 0; ; {
		read, err := asking(opened).ReadConversation(ctx, tools.Call{}, conversationtools.ReadConversationInput{
			SessionID: session, Offset: next, Limit: 100, Budget: everything,
		})
		if err != nil {
			return err
		}
		if err := printAnswer(std, read, c.JSON); err != nil || read.Next == 0 {
			return err
		}
		next = read.Next
	}
}

// cutTurn parts ID:TURN. No session's id has a colon.
func cutTurn(text string) (session string, turn int, one bool, err error) {
	session, number, one := strings.Cut(text, ":")
	if !one {
		return session, 0, false, nil
	}
	turn, err = strconv.Atoi(number)
	if err != nil || turn < 0 {
		return "", 0, false, &command.UsageError{Err: fmt.Errorf("after the colon stands the number of a turn, not %q", wording.Line(number, 40))}
	}
	return session, turn, true, nil
}
