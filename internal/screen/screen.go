// Package screen runs programs in pseudo-terminals and keeps what a person sees of them.
//
// A Screen is the display; Start gives it a program, one at a time. Package svg below draws a screen as a picture.
package screen

import (
	"io"
	"strings"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// A Screen is the display of a terminal. Goroutines: one hands the terminal's replies (to questions about its colours, say) to the
// program, until Close. Safe for concurrent use.
type Screen struct {
	replied chan struct{} // closed when that goroutine has ended
	input   input

	mu       sync.Mutex
	emulator *vt.Emulator
	written  strings.Builder
	changed  chan struct{} // closed and replaced at every change
}

// An input is where the keys go. It has a mutex of its own: while the emulator draws a question, it waits until its reply is read.
type input struct {
	mu      sync.Mutex
	program io.Writer // io.Discard: no program runs
}

func (i *input) connect(program io.Writer) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.program = program
}

// Write gives keys or replies to the program that runs.
func (i *input) Write(keys []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.program.Write(keys)
}

// New returns an empty screen. The caller calls Close.
func New(columns, rows int) *Screen {
	s := &Screen{replied: make(chan struct{}), emulator: vt.NewEmulator(columns, rows), changed: make(chan struct{})}
	s.input.connect(io.Discard)
	go s.reply()
	return s
}

func (s *Screen) reply() {
	defer close(s.replied)
	for buffer := make([]byte, 4096); ; {
		n, err := s.emulator.Read(buffer)
		if err != nil {
			return
		}
		_, _ = s.input.Write(buffer[:n]) // the program may have ended
	}
}

// Close ends the screen's goroutine. The program must have ended.
func (s *Screen) Close() {
	_ = s.emulator.InputPipe().(io.Closer).Close()
	<-s.replied
}

// Print draws a text as if a program had written it. Lines end in "\n".
func (s *Screen) Print(text string) { s.draw([]byte(strings.ReplaceAll(text, "\n", "\r\n"))) }

func (s *Screen) draw(output []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.emulator.Write(output) // fails only on a closed emulator
	s.written.Write(output)
	close(s.changed)
	s.changed = make(chan struct{})
}

// Cells returns a copy of what the screen shows.
func (s *Screen) Cells() *uv.Buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	cells := uv.NewBuffer(s.emulator.Width(), s.emulator.Height())
	for y := range cells.Height() {
		for x := range cells.Width() {
			if cell := s.emulator.CellAt(x, y); cell != nil {
				cells.Lines[y][x] = *cell
			}
		}
	}
	return cells
}
