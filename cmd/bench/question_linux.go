package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// settling is what a program gets for its start before its idleness is measured.
const settling = time.Second

// A pane is agent ui in a terminal.
// Goroutines: one that reads what the program writes, until the terminal is closed.
type pane struct {
	cmd    *exec.Cmd
	person *os.File

	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{} // closed and replaced when there is more
}

func (b *bench) openPane(project string) (*pane, error) {
	person, terminal, err := openTerminal()
	if err != nil {
		return nil, err
	}
	defer terminal.Close()
	p := &pane{person: person, changed: make(chan struct{}), cmd: exec.Command(filepath.Join(b.bin, "controlserver"), "ui", "--project", project)}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = terminal, terminal, terminal
	p.cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	if err := p.cmd.Start(); err != nil {
		person.Close()
		return nil, err
	}
	go p.read()
	return p, p.await("connected")
}

func openTerminal() (person, program *os.File, err error) {
	if person, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	number, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = errors.Join(
			unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0),
			unix.IoctlSetWinsize(int(person.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 100, Row: 30}),
		)
	}
	if err != nil {
		person.Close()
		return nil, nil, err
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	return person, program, err
}

func (p *pane) read() {
	buffer := make([]byte, 4096)
	for {
		n, err := p.person.Read(buffer)
		p.mu.Lock()
		p.text.Write(buffer[:n])
		close(p.changed)
		p.changed = make(chan struct{})
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// await waits until the program has written a text.
func (p *pane) await(text string) error {
	late := time.After(10 * time.Second)
	for {
		p.mu.Lock()
		there, changed := strings.Contains(p.text.String(), text), p.changed
		p.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-changed:
		case <-late:
			return fmt.Errorf("the terminal never shows %q", text)
		}
	}
}

func (p *pane) close() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	p.person.Close()
}

// watched serves a new project with a ui attached to its daemon.
func (b *bench) watched(ctx context.Context) (project string, p *pane, stop func(), err error) {
	project, end, err := b.startDaemon(ctx)
	if err != nil {
		return "", nil, nil, err
	}
	if p, err = b.openPane(project); err != nil {
		end()
		return "", nil, nil, err
	}
	return project, p, func() { p.close(); end() }, nil
}

// measureQuestion takes the time from a tool's call to its question on the screen of a ui that is attached.
func measureQuestion(ctx context.Context, b *bench) (figure, error) {
	project, p, stop, err := b.watched(ctx)
	if err != nil {
		return figure{}, err
	}
	defer stop()
	var times []time.Duration
	for i := range 20 {
		took, err := p.ask(ctx, project, fmt.Sprintf("Q%dQ", i+1))
		if err != nil {
			return figure{}, err
		}
		times = append(times, took)
	}
	return within(50*time.Millisecond, times), nil
}

// ask asks a question of one word that the screen has not shown yet, until it does, and takes it back. An answer would
// have to be a person's, and nobody knows who runs this.
func (p *pane) ask(ctx context.Context, project, word string) (time.Duration, error) {
	arguments, err := json.Marshal(map[string]string{"action": word})
	if err != nil {
		return 0, err
	}
	conn, err := net.Dial("unix", daemontest.Socket(project))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	call := protocol.AppendRequest(nil, &protocol.MCPToolCall{ID: "1", ToolName: "confirm_action", Arguments: arguments})
	begin := time.Now()
	if _, err := conn.Write(call); err != nil {
		return 0, err
	}
	if err := p.await(word); err != nil {
		return 0, err
	}
	took := time.Since(begin)
	conn.Close()
	return took, awaitNoQuestion(ctx, project)
}

// awaitNoQuestion returns when none is open.
func awaitNoQuestion(ctx context.Context, project string) error {
	for late := time.Now().Add(10 * time.Second); time.Now().Before(late); {
		list, err := daemontest.Ask[*protocol.QuestionsResponse](ctx, daemontest.Socket(project), &protocol.QuestionsRequest{})
		if err != nil {
			return err
		}
		if len(list.Questions) == 0 || list.Questions[0].State != protocol.QuestionOpen {
			return nil
		}
	}
	return errors.New("a question stays open that nobody asks any more")
}

// measureIdleUI takes the processor time of a ui that nothing happens to.
func measureIdleUI(ctx context.Context, b *bench) (figure, error) {
	_, p, stop, err := b.watched(ctx)
	if err != nil {
		return figure{}, err
	}
	defer stop()
	const idle = 10 * time.Second
	time.Sleep(settling)
	before, err := ticks(p.cmd.Process.Pid)
	if err != nil {
		return figure{}, err
	}
	time.Sleep(idle) // the time that is measured
	after, err := ticks(p.cmd.Process.Pid)
	share := float64(after-before) / 100 / idle.Seconds()
	return figure{
		ratio:  fmt.Sprintf("%.1f %%", 100*share),
		detail: fmt.Sprintf("of one CPU for %v, for 25 looks a second at whether there is anything to draw", idle),
		held:   share <= 0.01,
	}, err
}

// ticks returns the processor time of a process, in hundredths of a second. Format: proc_pid_stat(5).
func ticks(pid int) (int, error) {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 13 {
		return 0, io.ErrUnexpectedEOF
	}
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(fields[12])
	return user + system, err
}
