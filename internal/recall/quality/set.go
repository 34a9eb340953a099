package quality

import (
	"context"
	"slices"

	"tidepool/internal/knownitem"
	"tidepool/internal/recall/memory"
)

// A Trial is a store with prompts that it has the answer to, and prompts that it must meet with silence.
type Trial struct {
	Store  *Store
	Own    []Question // with turns as numbers of the store
	Silent []Silent
}

// Silent is prompts of one kind that a store has nothing to say about.
type Silent struct {
	Kind    string
	Prompts []string
	Without []string // dialogues whose memories are not searched: the one that the prompts are of, and those of its people
}

// Kinds of silence.
const (
	AnotherDialogue = "another dialogue's questions"
	NearMiss        = "near misses"
	GenericPrompts  = "generic prompts"
	AnotherProgram  = "another program's changelog"
)

// promptsOfAll returns those of every store.
func promptsOfAll(ctx context.Context, fitting bool) ([]Silent, error) {
	entries, err := Changelog(ctx, fitting)
	return []Silent{{GenericPrompts, Generic(fitting), nil}, {AnotherProgram, entries, nil}}, err
}

// Small returns a trial for each dialogue: its memories and those of the next ones, up to so many. It is asked about the next dialogue
// between others.
func Small(ctx context.Context, dialogues []Dialogue, size int, fitting bool) ([]Trial, error) {
	common, err := promptsOfAll(ctx, fitting)
	if err != nil {
		return nil, err
	}
	var trials []Trial
	for i := range dialogues {
		d := &dialogues[i]
		memories, there := slices.Clone(d.Memories), []*Dialogue{d}
		var other *Dialogue
		for n := 1; n < len(dialogues); n++ {
			next := &dialogues[(i+n)%len(dialogues)]
			switch {
			case len(memories) < size && other == nil || other != nil && len(memories) < size && !next.shares(other):
				memories, there = append(memories, next.Memories...), append(there, next)
			case other == nil && !slices.ContainsFunc(there, next.shares):
				other = next
			}
		}
		t := Trial{Store: NewStore(memories[:min(len(memories), size)]), Own: d.Questions, Silent: common}
		if other != nil {
			t.Silent = append(t.Silent[:len(t.Silent):len(t.Silent)], Silent{AnotherDialogue, other.asked(), nil}, Silent{NearMiss, NearMisses(other, d), nil})
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// shares reports whether somebody of a dialogue has the name of somebody of another.
func (d *Dialogue) shares(other *Dialogue) bool {
	return slices.ContainsFunc(d.People[:], func(name string) bool { return slices.Contains(other.People[:], name) })
}

// asked returns the texts of the questions.
func (d *Dialogue) asked() []string {
	var texts []string
	for _, q := range d.Questions {
		texts = append(texts, q.Text)
	}
	return texts
}

// Large returns a trial of a store with the memories of all dialogues and as many others as make up the size. About a dialogue it is asked
// with the others only.
func Large(ctx context.Context, dialogues, others []Dialogue, fill []memory.Memory, size int, fitting bool) (Trial, error) {
	common, err := promptsOfAll(ctx, fitting)
	if err != nil {
		return Trial{}, err
	}
	t := Trial{Silent: common}
	var memories []memory.Memory
	for i := range dialogues {
		d, next := &dialogues[i], &dialogues[(i+1)%len(dialogues)]
		for n := 2; n < len(dialogues) && next.shares(d); n++ {
			next = &dialogues[(i+n)%len(dialogues)]
		}
		var without []string
		for k := range dialogues {
			if dialogues[k].shares(d) {
				without = append(without, dialogues[k].Name)
			}
		}
		for _, q := range d.Questions {
			moved := Question{q.Text, q.Sessions, nil}
			for _, turn := range q.Turns {
				moved.Turns = append(moved.Turns, len(memories)+turn)
			}
			t.Own = append(t.Own, moved)
		}
		t.Silent = append(t.Silent, Silent{AnotherDialogue, d.asked(), without}, Silent{NearMiss, NearMisses(d, next), without})
		memories = append(memories, d.Memories...)
	}
	for _, d := range others {
		memories = append(memories, d.Memories...)
	}
	memories = append(memories, fill...)
	t.Store = NewStore(memories[:min(len(memories), size)])
	return t, nil
}

// Fill returns memories of programs: the commits of the repository at dir, and made reports of problems.
func Fill(ctx context.Context, dir string) ([]memory.Memory, error) {
	history, err := knownitem.History(ctx, dir)
	if err != nil {
		return nil, err
	}
	var memories []memory.Memory
	for _, t := range append(history.Turns, knownitem.Dialogues().Turns...) {
		memories = append(memories, memoryOf(&t))
	}
	return memories, nil
}
