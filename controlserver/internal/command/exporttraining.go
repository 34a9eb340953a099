package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tidepool/controlserver/internal/serve"
	"tidepool/internal/environ"
	"tidepool/protocol"
	"tidepool/scout"
	"tidepool/scout/gemma"
	"tidepool/scout/training"
)

// ExportTraining prints examples to train a scorer with.
type ExportTraining struct {
	Seeds   []string      `arg:"" optional:"" help:"Symbols to make examples from: the running daemon is asked what each change to them breaks. Default: what scout.record has kept."`
	Change  string        `help:"Ask about this kind of change only, such as add_parameter." placeholder:"KIND"`
	Certain bool          `help:"Only examples that a compiler has judged."`
	Split   string        `help:"Only one side of the split: train or heldout." enum:",train,heldout" default:""`
	Timeout time.Duration `help:"How long one question may take." default:"2m"`
}

// Run prints training examples, one JSON object a line, and what became of the rest to standard error.
func (c *ExportTraining) Run(ctx context.Context, place protocol.Place, std Stdio) error {
	var kinds []scout.ChangeKind
	if c.Change != "" {
		kind, err := scout.ParseChangeKind(c.Change)
		if err != nil {
			return &UsageError{Err: err}
		}
		kinds = []scout.ChangeKind{kind}
	}
	records, err := c.records(ctx, place, kinds, std)
	if err != nil {
		return err
	}
	lines, dropped, err := training.Prepare(records, trainingOptions(place))
	if err != nil {
		return err
	}
	return c.print(lines, dropped, std)
}

// records returns those of the walks from the seeds, or those that were kept.
func (c *ExportTraining) records(ctx context.Context, place protocol.Place, kinds []scout.ChangeKind, std Stdio) ([]training.Record, error) {
	if len(c.Seeds) > 0 {
		walker := trainingWalker{caller: toolCaller{place: place, timeout: c.Timeout}, kinds: kinds, std: std}
		return walker.walkAll(ctx, c.Seeds)
	}
	store := training.Store{Dir: serve.TrainingDir(place)}
	records, broken, err := store.Records()
	if err != nil {
		return nil, err
	}
	if broken > 0 {
		fmt.Fprintf(std.Err, "warning: %d lines are no examples\n", broken)
	}
	if len(records) == 0 {
		return nil, &noExamplesError{store.Dir}
	}
	if len(kinds) == 0 {
		return records, nil
	}
	var wanted []training.Record
	for _, r := range records {
		if r.Query.Change == kinds[0] {
			wanted = append(wanted, r)
		}
	}
	return wanted, nil
}

func (c *ExportTraining) print(lines []training.Line, dropped training.Dropped, std Stdio) error {
	out := bufio.NewWriter(std.Out)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	printed, certain := 0, 0
	for _, line := range lines {
		if c.Certain && line.Label != training.Compiler || c.Split != "" && string(line.Split) != c.Split {
			continue
		}
		if printed++; line.Label == training.Compiler {
			certain++
		}
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	fmt.Fprintf(std.Err, "%d examples, %d of them judged by a compiler; left out: %d repeated, %d with something like a secret, %d outside of the project\n",
		printed, certain, dropped.Repeated, dropped.Secret, dropped.Outside)
	return out.Flush()
}

func trainingOptions(place protocol.Place) training.Options {
	places := []training.Place{{Dir: place.Project + string(filepath.Separator)}, {Dir: place.Project, Instead: "."}}
	if home, err := os.UserHomeDir(); err == nil && len(home) > 1 {
		places = append(places, training.Place{Dir: home, Instead: "~"})
	}
	secrets := secretValues(os.Environ())
	return training.Options{
		Question: gemma.Question, Answer: gemma.Answer, Places: places,
		Module: func(path string) string { return training.ModuleOf(place.Project, path) },
		Secret: func(text string) bool { return training.LooksSecret(text) || secrets.in(text) },
	}
}

// secretTexts are the values of secret variables.
type secretTexts []string

// leastSecret is how long a secret is at least, in bytes: "1" stands in every text.
const leastSecret = 8

func secretValues(env []string) secretTexts {
	var values secretTexts
	for _, entry := range env {
		if name, value, _ := strings.Cut(entry, "="); len(value) >= leastSecret && environ.Secret(name, value) {
			values = append(values, value)
		}
	}
	return values
}

func (s secretTexts) in(text string) bool {
	for _, secret := range s {
		if strings.Contains(text, secret) {
			return true
		}
	}
	return false
}

// A noExamplesError means that nothing was recorded.
type noExamplesError struct{ dir string }

func (e *noExamplesError) Error() string { return "there are no examples in " + e.dir }

// Hint says how there will be some.
func (*noExamplesError) Hint() string {
	return "set scout.record in .tidepool/config.json and use scout, or name symbols: controlserver export-training Registry.Discover"
}
