package quality

import (
	"context"
	"fmt"

	"tidepool/internal/knownitem"
	"tidepool/internal/recall/memory"
)

// small and large are how many memories the stores have.
const (
	small = 1000
	large = 16000
)

// Data are all sets.
type Data struct {
	Tuned []Dialogue // the dialogues of LoCoMo on which constants are fitted
	Held  []Dialogue // the others
	Real  []Dialogue // REALTALK

	programs []knownitem.Set
	fill     []memory.Memory
}

// Read reads the dialogues from a directory, and this repository's known items from the working directory.
func Read(ctx context.Context, dir string) (*Data, error) {
	d := new(Data)
	locomo, err := LoCoMo(dir)
	if err != nil {
		return nil, err
	}
	for _, one := range locomo {
		if Tuned(one.Name) {
			d.Tuned = append(d.Tuned, one)
		} else {
			d.Held = append(d.Held, one)
		}
	}
	if d.Real, err = RealTalk(dir); err != nil {
		return nil, err
	}
	history, err := knownitem.History(ctx, ".")
	if err != nil {
		return nil, err
	}
	d.programs = []knownitem.Set{history, knownitem.Dialogues()}
	d.fill, err = Fill(ctx, ".")
	return d, err
}

// A Group is trials whose figures are one line of the table, and count the same for the fit.
type Group struct {
	Name   string
	Trials []Trial
}

// Fitting returns the trials for the fit. Memories of other dialogues than the tuned ones are in none of their stores: comments of Go's
// sources make the large one as large as the published ones.
func (d *Data) Fitting(ctx context.Context) ([]Group, error) {
	more, err := crowd(ctx, large)
	if err != nil {
		return nil, err
	}
	fill := append(d.fill[:len(d.fill):len(d.fill)], more...)
	groups, err := d.dialogues(ctx, "LoCoMo, tuned", d.Tuned, nil, fill, true)
	if err != nil {
		return nil, err
	}
	programs, err := d.program(ctx, true)
	return append(groups, programs...), err
}

// Publishing returns the trials whose prompts no constant has seen: of the other dialogues, of REALTALK, of the other half of the known items.
func (d *Data) Publishing(ctx context.Context) ([]Group, error) {
	groups, err := d.dialogues(ctx, "LoCoMo, others", d.Held, append(d.Tuned[:len(d.Tuned):len(d.Tuned)], d.Real...), d.fill, false)
	if err != nil {
		return nil, err
	}
	more, err := d.dialogues(ctx, "REALTALK", d.Real, append(d.Tuned[:len(d.Tuned):len(d.Tuned)], d.Held...), d.fill, false)
	if err != nil {
		return nil, err
	}
	programs, err := d.program(ctx, false)
	return append(append(groups, more...), programs...), err
}

func (d *Data) dialogues(ctx context.Context, name string, of, others []Dialogue, fill []memory.Memory, fitting bool) ([]Group, error) {
	trials, err := Small(ctx, of, small, fitting)
	if err != nil {
		return nil, err
	}
	one, err := Large(ctx, of, others, fill, large, fitting)
	if err != nil {
		return nil, err
	}
	return []Group{
		{name + fmt.Sprintf(" among %d", small), trials}, {name + fmt.Sprintf(" among %d", one.Store.Len()), []Trial{one}},
	}, nil
}

func (d *Data) program(ctx context.Context, fitting bool) ([]Group, error) {
	var groups []Group
	for _, set := range d.programs {
		trial, err := Program(ctx, set, fitting)
		if err != nil {
			return nil, err
		}
		groups = append(groups, Group{set.Name, []Trial{trial}})
	}
	return groups, nil
}
