package quality

import (
	"context"

	"tidepool/internal/knownitem"
	"tidepool/internal/recall/memory"
)

// memoryOf returns a turn as recall keeps what a session leaves behind: without a session, as each is of another.
func memoryOf(t *knownitem.Turn) memory.Memory {
	return memory.Memory{
		Project: memory.Project{Key: "program"}, Kind: memory.Session, Trust: memory.Observed, Content: t.Prompt + "\n" + t.Prose, Files: t.Files,
		Alpha: 1, Beta: 1,
	}
}

// leftOut is which share of the turns that queries are about a trial's store has not: one of so many.
const leftOut = 4

// Program returns a trial of memories about a program, which are the turns of a set. One of four turns that a query is about is left out:
// its query is then a near miss, as there are turns about the same part of the program and about the same problem elsewhere.
func Program(ctx context.Context, set knownitem.Set, fitting bool) (Trial, error) {
	common, err := promptsOfAll(ctx, fitting)
	if err != nil {
		return Trial{}, err
	}
	missing, asked := map[int]bool{}, set.Half(fitting)
	near := Silent{Kind: NearMiss}
	for i, q := range asked {
		if i%leftOut == 0 {
			missing[q.Turn] = true
			near.Prompts = append(near.Prompts, q.Text)
		}
	}
	var memories []memory.Memory
	place := map[int]int{}
	for i := range set.Turns {
		if !missing[i] {
			place[i] = len(memories)
			memories = append(memories, memoryOf(&set.Turns[i]))
		}
	}
	t := Trial{Store: NewStore(memories), Silent: append([]Silent{near}, common...)}
	for _, q := range asked {
		if at, ok := place[q.Turn]; ok {
			t.Own = append(t.Own, Question{Text: q.Text, Turns: []int{at}})
		}
	}
	return t, nil
}
