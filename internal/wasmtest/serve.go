package wasmtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Serve is the process with the sandbox: it does what [Runner] writes to in, says on out what becomes of it, and ends; at once
// when in ends. It confines the whole process, which afterwards cannot write files: nothing else should be done in it.
// Goroutines: one that reads in, for as long as the process lives.
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
	if err := confine(o.CPU); err != nil {
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
	out     *json.Encoder
	sandbox *sandbox

	// What the first test has left: all that follow are of the same binary.
	meta     *coverMeta
	metaFile map[string][]byte
	places   map[coverIndex]int // of functions, in what has been told
}

func (s *server) serve(ctx context.Context) (err error) {
	s.sandbox, err = newSandbox(ctx, s.order)
	if err != nil {
		return s.out.Encode(message{Failed: oneLine(err.Error())})
	}
	tests := s.Tests
	if tests == nil {
		if tests, err = s.sandbox.list(ctx); err != nil {
			return s.out.Encode(message{Failed: oneLine(err.Error())})
		}
		if err := s.out.Encode(message{Tests: tests}); err != nil {
			return err
		}
	}
	for _, test := range tests {
		if err := s.test(ctx, test); err != nil {
			return err
		}
	}
	return s.sandbox.close(ctx)
}

// test runs one test.
func (s *server) test(ctx context.Context, name string) error {
	if err := s.out.Encode(message{Begun: name}); err != nil {
		return err
	}
	r, err := s.sandbox.test(ctx, name, s.metaFile)
	if err != nil {
		return err
	}
	m := message{Ended: &ended{Passed: r.err == nil && r.out.passed && !r.out.skipped}}
	for _, at := range s.functions(r.cover) {
		place, told := s.places[at]
		if !told {
			place = len(s.places)
			s.places[at] = place
			m.Functions = append(m.Functions, s.meta.packages[at.pkg][at.function])
		}
		m.Ended.Ran = append(m.Ended.Ran, place)
	}
	slices.Sort(m.Ended.Ran)
	m.Ended.Ran = slices.Compact(m.Ended.Ran)
	return s.out.Encode(m)
}

// functions are those that coverage data speak of; none if there are none that can be read.
func (s *server) functions(cover *memory) []coverIndex {
	if s.meta == nil {
		s.keep(cover)
	}
	if s.meta == nil {
		return nil
	}
	var ran []coverIndex
	for name, file := range cover.root.children {
		if !strings.HasPrefix(name, "covcounters.") {
			continue
		}
		counted, err := decodeCounters(file.data, s.meta.hash)
		if err != nil {
			continue
		}
		ran = append(ran, counted...)
	}
	return slices.DeleteFunc(ran, func(at coverIndex) bool {
		return uint64(at.pkg) >= uint64(len(s.meta.packages)) || uint64(at.function) >= uint64(len(s.meta.packages[at.pkg]))
	})
}

// keep keeps the description of the binary's functions.
func (s *server) keep(cover *memory) {
	for name, file := range cover.root.children {
		if !strings.HasPrefix(name, "covmeta.") {
			continue
		}
		if meta, err := decodeMeta(file.data); err == nil {
			s.meta, s.metaFile = meta, map[string][]byte{name: file.data}
			return
		}
	}
}
