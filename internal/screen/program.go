package screen

import (
	"io"
	"os"
	"os/exec"

	"github.com/creack/pty"
)

// A Program is a process whose terminal a Screen shows. Goroutines: one draws what it writes, until nobody has the terminal open.
type Program struct {
	screen   *Screen
	cmd      *exec.Cmd
	keyboard *os.File
	drawn    chan struct{} // closed when no more comes
}

// Start starts a command whose controlling terminal is the screen. The program before must have ended. The caller calls Wait.
func (s *Screen) Start(cmd *exec.Cmd) (*Program, error) {
	columns, rows := s.size()
	keyboard, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if err != nil {
		return nil, err
	}
	p := &Program{screen: s, cmd: cmd, keyboard: keyboard, drawn: make(chan struct{})}
	s.input.connect(keyboard)
	go p.draw()
	return p, nil
}

func (s *Screen) size() (columns, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulator.Width(), s.emulator.Height()
}

// draw ends with an error of the system's choice (EIO on Linux) once nobody has the terminal open.
func (p *Program) draw() {
	defer close(p.drawn)
	for buffer := make([]byte, 4096); ; {
		n, err := p.keyboard.Read(buffer)
		p.screen.draw(buffer[:n])
		if err != nil {
			return
		}
	}
}

// Type sends keys to the program.
func (p *Program) Type(keys string) error {
	_, err := io.WriteString(&p.screen.input, keys)
	return err
}

// Resize gives the terminal another size, of which the system tells the program.
func (p *Program) Resize(columns, rows int) error {
	p.screen.resize(columns, rows)
	return pty.Setsize(p.keyboard, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
}

func (s *Screen) resize(columns, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emulator.Resize(columns, rows)
}

// Wait returns when the program has ended and the screen shows all it wrote. Its error is that of exec.Cmd.Wait.
func (p *Program) Wait() error {
	err := p.cmd.Wait()
	<-p.drawn
	p.screen.input.connect(io.Discard)
	p.keyboard.Close()
	return err
}
