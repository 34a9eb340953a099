package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/conversation"
	"tidepool/internal/measure"
)

// appended is how many turns are added one after the other.
const appended = 100

// follow adds turns to the transcript of a live session and asks for each until it is found: the slowest and the median. Nothing
// tells the archive but its watch.
func follow(ctx context.Context, c *corpus) (measure.Figures, error) {
	a, err := conversation.New(c.options())
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	ran := make(chan error, 1)
	keeper := a.Keep()
	go func() { ran <- keeper.Run(ctx) }()
	if err := awaitIndex(ctx, a); err != nil {
		stop()
		return nil, err
	}
	times, err := appendTurns(ctx, a, c)
	stop()
	if failed := <-ran; err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return measure.Figures{"slowest": measure.Percentile(times, 100), "median": measure.Percentile(times, 50)}, a.Close()
}

// appendTurns returns for each turn the time from its end to the answer that has it.
func appendTurns(ctx context.Context, a *conversation.Archive, c *corpus) ([]time.Duration, error) {
	groups, err := os.ReadDir(c.projects())
	if err != nil {
		return nil, err
	}
	live := filepath.Join(c.projects(), groups[0].Name(), "0badcafe-0000-4000-8000-000000000000.jsonl")
	f, err := os.OpenFile(live, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var times []time.Duration
	parent := "null"
	for n := range appended {
		word := fmt.Sprintf("needle%dneedle", n)
		var text string
		text, parent = liveTurn(n, parent, c.checkout(), word)
		if _, err := f.WriteString(text); err != nil {
			return nil, err
		}
		took, err := awaitWord(ctx, a, word)
		if err != nil {
			return nil, err
		}
		times = append(times, took)
	}
	return times, nil
}

// liveTurn returns the two records of a turn, and the UUID of its last one, quoted.
func liveTurn(n int, parent, cwd, word string) (text, last string) {
	prompt, answer := fmt.Sprintf(`"00000000-0000-4000-8000-%012x"`, 2*n+1), fmt.Sprintf(`"00000000-0000-4000-8000-%012x"`, 2*n+2)
	at := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	common := fmt.Sprintf(`"isSidechain":false,"sessionId":"0badcafe-0000-4000-8000-000000000000","timestamp":%q,"cwd":%q,"gitBranch":"main"`, at, cwd)
	text = fmt.Sprintf(`{"type":"user","uuid":%s,"parentUuid":%s,%s,"message":{"role":"user","content":"where is %s"}}`+"\n", prompt, parent, common, word)
	text += fmt.Sprintf(`{"type":"assistant","uuid":%s,"parentUuid":%s,%s,"message":{"id":"msg_%d","role":"assistant","content":[{"type":"text","text":"In gateway/retry.go."}]}}`+"\n",
		answer, prompt, common, n)
	return text, answer
}

// awaitWord returns how long it takes until a word is found.
func awaitWord(ctx context.Context, a *conversation.Archive, word string) (time.Duration, error) {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		found, err := a.Search(ctx, conversation.Query{Text: word})
		switch {
		case err != nil:
			return 0, err
		case len(found.Hits) > 0:
			return time.Since(start), nil
		case time.Since(start) > 30*time.Second:
			return 0, fmt.Errorf("a turn was not found for 30 s: %+v", found.State)
		}
	}
}
