package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tidepool/internal/checkout"
	"tidepool/lsp"
)

// A suite is the cases of one language.
type suite struct {
	language string
	cases    string // path
	pattern  string // of the files that grep reads
	bounds   func([]result) []bound
	measures bool // which tests run what can be measured
	// lay puts a module of the suite where it can be asked about.
	lay func(context.Context, *checkout.Checkout, string) error
}

func suites(testdata string) []suite {
	return []suite{{
		language: "Go", cases: filepath.Join(testdata, "go.jsonl"), pattern: "*.go", bounds: goBounds, measures: true,
		lay: func(ctx context.Context, m *checkout.Checkout, name string) error { return m.FetchModule(ctx, name) },
	}, typescriptSuite(testdata)}
}

// choose reads the cases whose id contains a text, those of a module together.
func (s suite) choose(only string) ([]testCase, error) {
	cases, err := readCases(s.cases)
	cases = slices.DeleteFunc(cases, func(c testCase) bool { return !strings.Contains(c.ID, only) })
	slices.SortStableFunc(cases, func(a, b testCase) int { return strings.Compare(a.Module, b.Module) })
	return cases, err
}

// A result is what everybody said to one case.
type result struct {
	testCase
	blind, told, grep, references score
	estimated                     score  // of a question about tests, asked blind while none of them is measured
	perfect                       bool   // the bare references are all that breaks, and nothing else
	problem                       string // why scout gave no answer; "": it gave one
}

// ask asks the cases module by module.
func (b *bench) ask(ctx context.Context, s suite, cases []testCase) ([]result, error) {
	var results []result
	for len(cases) > 0 {
		name := cases[0].Module
		n := slices.IndexFunc(cases, func(c testCase) bool { return c.Module != name })
		if n < 0 {
			n = len(cases)
		}
		of, err := b.askModule(ctx, s, name, cases[:n])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		results, cases = append(results, of...), cases[n:]
	}
	return results, nil
}

func (b *bench) askModule(ctx context.Context, s suite, name string, cases []testCase) (results []result, err error) {
	m := checkout.New(b.temp, name, b.bin)
	m.Env = append(m.Env, "XDG_CACHE_HOME="+filepath.Join(b.temp, "cache"))
	if err := s.lay(ctx, m, name); err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "asking %d cases of %s\n", len(cases), name)
	known := newUnits(m.Dir)
	if results, err = askPeers(ctx, m, s, cases, known); err != nil {
		return nil, err
	}
	if s.measures {
		if err := b.askUnmeasured(ctx, m, results, known); err != nil {
			return nil, err
		}
	}
	d, err := b.serve(ctx, m, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Stop()) }()
	if s.measures {
		if err := b.awaitMeasured(ctx, d, name, cases[0]); err != nil {
			return nil, err
		}
	}
	for i := range results {
		if err := d.askCase(ctx, &results[i], known, b.told); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// askPeers asks grep and a language server of its own, which ends before the daemon begins.
func askPeers(ctx context.Context, m *checkout.Checkout, s suite, cases []testCase, known *units) ([]result, error) {
	p, err := lsp.Open(lsp.Options{Root: m.Dir, Env: m.Env})
	if err != nil {
		return nil, err
	}
	defer p.Close(context.WithoutCancel(ctx))
	if err := p.WaitReady(ctx); err != nil {
		return nil, err
	}
	results := make([]result, len(cases))
	for i, c := range cases {
		found, err := grep(ctx, m, c, s.pattern)
		if err != nil {
			return nil, err
		}
		bare, err := references(ctx, m, p, c)
		if err != nil {
			return nil, err
		}
		r := &results[i]
		r.testCase, r.grep, r.references = c, evaluate(c, found, known), evaluate(c, bare, known)
		r.perfect = r.references.f1 == 1
	}
	return results, nil
}

// askCase asks scout twice, so that the time is a warm one, and then with the change told.
func (d *daemon) askCase(ctx context.Context, r *result, known *units, told bool) error {
	q := question{Query: r.Question, Symbols: []string{r.Symbol}}
	for range 2 {
		a, err := d.scout(ctx, q)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r.problem = ""
		if err != nil {
			r.problem = err.Error()
		}
		r.blind = evaluate(r.testCase, a, known)
	}
	if !told {
		return nil
	}
	q.Change = r.changeOf()
	a, err := d.scout(ctx, q)
	if err != nil && r.problem == "" {
		r.problem = "with the change told: " + err.Error()
	}
	r.told = evaluate(r.testCase, a, known)
	return ctx.Err()
}
