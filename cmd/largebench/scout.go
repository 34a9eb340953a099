package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"tidepool/lsp"
)

// A question is what scout is asked.
type question struct {
	Query   string   `json:"query"`
	Symbols []string `json:"symbols"`
	Change  string   `json:"change,omitempty"`
}

// A form is a question about a symbol of a kind.
type form struct {
	of     kind
	words  string
	change string // "": an open question
}

func forms() []form {
	return []form{
		{function, "a parameter more for %s", "add_parameter"},
		{contract, "a method more for %s", "add_method"},
		{field, "%s goes away", "remove_field"},
		{field, "another type for %s", "change_type"},
		{enum, "a constant more for %s", "add_variant"},
		{function, "another name for %s", "rename"},
		{function, "%s returns an error, too", "return_error"},
		{contract, "another implementation of %s", "add_implementation"},
		{function, "%s does something else: which tests notice?", "change_behavior"},
		{function, "how is %s used?", ""},
	}
}

// questions returns those for scout: each form in turn, about the next symbol of its kind. A form without symbols is left out.
func (p *project) questions() []question {
	var asked []question
	var used [kindCount]int
	for len(asked) < p.counts.scout {
		before := len(asked)
		for _, f := range forms() {
			of := p.sample[f.of]
			if len(of) == 0 {
				continue
			}
			s := of[used[f.of]%len(of)]
			used[f.of]++
			name := s.name[strings.LastIndexByte(s.name, '.')+1:]
			asked = append(asked, question{fmt.Sprintf(f.words, name), []string{s.asked()}, f.change})
		}
		if len(asked) == before {
			break
		}
	}
	return asked[:min(len(asked), p.counts.scout)]
}

// askScout asks questions and records time and completeness. A question that fails counts with its time, too.
func (d *daemon) askScout(ctx context.Context, r *record, questions []question) error {
	for _, q := range questions {
		response, took, err := d.timed(ctx, "scout", q)
		if err != nil {
			return err
		}
		r.scout = append(r.scout, took)
		var found struct {
			Completeness lsp.Completeness `json:"completeness"`
		}
		a := answer{took: took, slow: took, said: fmt.Sprintf("scout %s: %s", q.Symbols[0], firstLine(response.Text))}
		if response.Error != nil {
			r.scoutFailed++
			a.wrong, a.state = strings.Contains(response.Error.Message, "not found"), lsp.Unknown
		} else if err := json.Unmarshal(response.Result, &found); err != nil {
			return fmt.Errorf("scout %s: %w", q.Symbols[0], err)
		} else {
			a.state = found.Completeness.State
		}
		if a.state != lsp.Complete {
			r.scoutPartial++
		}
		d.tally.add(a)
	}
	return nil
}
