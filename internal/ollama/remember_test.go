package ollama_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"tidepool/internal/ollama"
	"tidepool/internal/ollama/ollamatest"
)

const risky = "<start_function_call>call:rate{risk:4}<end_function_call>"

func TestWhatWasAskedIsNotAskedAgain(t *testing.T) {
	server := ollamatest.New(t, func(string) string { return risky })
	c := client(t, ollama.Options{Endpoint: server.URL})
	asked := func(p ollama.Prompt) bool {
		t.Helper()
		before := len(server.Prompts())
		arguments, err := c.Call(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if risk, _ := arguments.Int("risk", 1, 5); risk != 4 {
			t.Errorf("risk %d, want 4", risk)
		}
		now := len(server.Prompts()) > before
		if now == arguments.Remembered() {
			t.Errorf("asked %t, remembered %t", now, arguments.Remembered())
		}
		return now
	}
	other := prompt("?")
	other.Tool.Description = "Rate it well."
	for i, tt := range []struct {
		prompt ollama.Prompt
		want   bool
	}{{prompt("?"), true}, {prompt("?"), false}, {prompt("!"), true}, {other, true}, {other, false}, {prompt("?"), false}} {
		if got := asked(tt.prompt); got != tt.want {
			t.Errorf("call %d: the model was asked: %t, want %t", i, got, tt.want)
		}
	}
}

func TestOldAnswersAreForgotten(t *testing.T) {
	server := ollamatest.New(t, func(string) string { return risky })
	c := client(t, ollama.Options{Endpoint: server.URL, Remember: 2})
	for _, text := range []string{"a", "b", "c", "b", "a"} {
		if _, err := c.Call(t.Context(), prompt(text)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(server.Prompts()); n != 4 {
		t.Errorf("the model was asked %d times, want again for what is older than two", n)
	}
}

func TestFailuresAreNotRemembered(t *testing.T) {
	var calls atomic.Int64
	server := ollamatest.New(t, func(string) string {
		if calls.Add(1) == 1 {
			return "I cannot."
		}
		return risky
	})
	c := client(t, ollama.Options{Endpoint: server.URL})
	if _, err := c.Call(t.Context(), prompt("?")); kindOf(err) != ollama.NoCall {
		t.Errorf("%v, want NoCall", err)
	}
	if _, err := c.Call(t.Context(), prompt("?")); err != nil {
		t.Error(err)
	}
}

func TestTheSameQuestionAtTheSameTimeIsAskedOnce(t *testing.T) {
	asked, answer := make(chan bool, 20), make(chan bool)
	server := ollamatest.New(t, func(string) string {
		asked <- true
		<-answer
		return risky
	})
	c := client(t, ollama.Options{Endpoint: server.URL, Concurrency: 8})
	var remembered atomic.Int64
	var wg sync.WaitGroup
	call := func() {
		arguments, err := c.Call(t.Context(), prompt("?"))
		if err != nil {
			t.Error(err)
		}
		if arguments.Remembered() {
			remembered.Add(1)
		}
	}
	wg.Go(call)
	<-asked
	for range 5 {
		wg.Go(call)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Call(ended, prompt("?")); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: %v", err)
	}
	close(answer)
	wg.Wait()
	if n := len(server.Prompts()); n != 1 || remembered.Load() != 5 {
		t.Errorf("asked %d times, %d remembered; want 1 and 5", n, remembered.Load())
	}
}

func TestACallerWhoLeavesDoesNotFailOthers(t *testing.T) {
	asked := make(chan bool, 2)
	answer := make(chan bool)
	server := ollamatest.New(t, func(string) string {
		asked <- true
		<-answer
		return risky
	})
	c := client(t, ollama.Options{Endpoint: server.URL})
	ctx, leave := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := c.Call(ctx, prompt("?"))
		first <- err
	}()
	<-asked
	go func() {
		_, err := c.Call(t.Context(), prompt("?"))
		second <- err
	}()
	leave()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first caller: %v", err)
	}
	close(answer)
	if err := <-second; err != nil {
		t.Errorf("the second caller: %v", err)
	}
}
