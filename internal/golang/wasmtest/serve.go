package wasmtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"tidepool/internal/wording"
)

// Serve is the main function of the sandbox process: it executes the order that [Runner] writes to in, writes messages to out, and
// returns; at once if in ends. It confines the whole process, which cannot write files afterwards, so the process must do nothing
// else. Goroutines: one that reads in, until the process exits.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading what is to be run: %w", err)
	}
	var o order
	if err := json.Unmarshal(line, &o); err != nil {
		return fmt.Errorf("reading what is to be run: %w", err)
	}
	if err := restrict(o); err != nil {
		return fmt.Errorf("confining the process: %w", err)
	}
	go func() {
		io.Copy(io.Discard, lines)
		os.Exit(1)
	}()
	s := &server{order: o, out: json.NewEncoder(out), places: map[coverIndex]int{}}
	return s.serve(ctx)
}

// A server runs the tests of one binary.
type server struct {
	order
	out      *json.Encoder
	sandbox  *sandbox
	coverage coverage
	places   map[coverIndex]int // of functions, in what has been told
}

func (s *server) serve(ctx context.Context) error {
	err := s.load(ctx)
	for _, test := range s.Tests {
		if err != nil {
			break
		}
		err = s.test(ctx, test)
	}
	if err != nil {
		return s.out.Encode(message{Failed: wording.OneLine(err.Error())})
	}
	return s.sandbox.close(ctx)
}

// load prepares the binary and lists its tests.
func (s *server) load(ctx context.Context) (err error) {
	if s.sandbox, err = newSandbox(ctx, s.order); err != nil {
		return err
	}
	if err := s.out.Encode(message{Loaded: true}); err != nil {
		return err
	}
	if s.Tests == nil {
		if s.Tests, err = s.sandbox.list(ctx); err != nil {
			return err
		}
	}
	return s.out.Encode(message{Tests: s.Tests})
}

// run runs one test.
func (s *server) run(ctx context.Context, name string) (run, error) {
	if err := s.out.Encode(message{Begun: name}); err != nil {
		return run{}, err
	}
	r, again := s.sandbox.test(ctx, name, s.coverage.given())
	if !again {
		return r, nil
	}
	if err := s.out.Encode(message{Translates: true}); err != nil {
		return run{}, err
	}
	if err := s.sandbox.translate(ctx); err != nil {
		return run{}, err
	}
	return s.run(ctx, name)
}

// test runs one test and sends the functions that it ran.
func (s *server) test(ctx context.Context, name string) error {
	r, err := s.run(ctx, name)
	if err != nil {
		return err
	}
	ran, known, err := s.coverage.read(r)
	if err != nil {
		return err
	}
	m := message{Ended: &ended{Passed: known && r.err == nil && r.out.passed && !r.out.skipped}}
	for _, at := range ran {
		place, told := s.places[at]
		if !told {
			place = len(s.places)
			s.places[at] = place
			m.Functions = append(m.Functions, s.coverage.meta.packages[at.pkg][at.function])
		}
		m.Ended.Ran = append(m.Ended.Ran, place)
	}
	return s.out.Encode(m)
}
