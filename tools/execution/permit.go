package execution

import (
	"context"
	"encoding/json"
	"fmt"

	"tidepool/internal/policy"
	"tidepool/internal/wording"
	"tidepool/protocol"
	"tidepool/tools/people"
)

// permit returns what the project's policy decides about a tool of Claude Code with an input. A question is put to the user; the
// error says that it must not be done. what is what the user reads.
func (t *Toolset) permit(ctx context.Context, u *use, tool, what string, input any) (policy.Verdict, error) {
	data, err := json.Marshal(input)
	if err != nil {
		return policy.Verdict{}, err
	}
	verdict, decided := t.Policy.Decide(tool, data)
	if !decided {
		return policy.Verdict{}, nil
	}
	switch verdict.Decision {
	case protocol.Deny:
		return verdict, &refusedError{"refused by a rule: " + verdict.Reason, "agent policy list shows all rules and policies, and the files that they stand in"}
	case protocol.Ask:
		return verdict, t.confirm(ctx, u, what, verdict.Reason)
	}
	return verdict, nil
}

// network reports whether a command gets the machine's network. The error says that it does not.
func (t *Toolset) network(ctx context.Context, u *use, command string, verdict policy.Verdict) error {
	switch {
	case verdict.Decision == protocol.Allow && verdict.Rule > 0 && verdict.Field == "network", u.Limits.Network == "allow":
		return nil
	case u.Limits.Network == "deny":
		return &refusedError{"the network is refused by exec.network", "run it without network, or with the Bash tool, which asks"}
	}
	return t.confirm(ctx, u, "Run with network: "+command, "The command wants the network. It is confined otherwise: it writes in the project only and sees no credentials, but it can send what it reads.")
}

// confirm asks the user.
func (t *Toolset) confirm(ctx context.Context, u *use, action, details string) error {
	answer, err := t.People.ConfirmAction(ctx, u.call, people.ConfirmActionInput{Action: wording.Clip(action, 2000), Details: details})
	if err != nil {
		return err
	}
	if !answer.Confirmed {
		return &refusedError{fmt.Sprintf("the user said no (%s)", answer.Channel), "do without it, or ask in the conversation"}
	}
	return nil
}
