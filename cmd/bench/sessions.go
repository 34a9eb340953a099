package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"tidepool/internal/sample"
)

// sessions is how many are compared with one.
const sessions = 10

// measureSessions compares the memory of the daemon and all that it has started, ten sessions attached, with what it
// is with one. Every session asks about every language of the project.
func measureSessions(ctx context.Context, b *bench) (figure, error) {
	project, questions, err := b.newMonorepo()
	if err != nil {
		return figure{}, err
	}
	env, err := b.serverEnv(filepath.Join(project, "..", "cache"))
	if err != nil {
		return figure{}, err
	}
	stop, err := b.startDaemonIn(ctx, project, env)
	if err != nil {
		return figure{}, err
	}
	defer stop()
	pid, err := daemonPID(ctx, project)
	if err != nil {
		return figure{}, err
	}
	var one, ten int64
	for n := 1; n <= sessions; n++ {
		s, err := b.attach(ctx, project)
		if err != nil {
			return figure{}, err
		}
		defer s.leave()
		if err := s.askAll(questions); err != nil {
			return figure{}, err
		}
		if n == 1 { // what servers remember after more questions is no matter of sessions
			for range sessions {
				if err := s.askAll(questions); err != nil {
					return figure{}, err
				}
			}
			if one, err = memoryOf(pid); err != nil {
				return figure{}, err
			}
		}
	}
	if ten, err = memoryOf(pid); err != nil {
		return figure{}, err
	}
	ratio := float64(ten) / float64(one)
	return figure{
		ratio:  fmt.Sprintf("%.2f×", ratio),
		detail: fmt.Sprintf("%d MB against %d MB, of the daemon and the servers of %d languages", ten>>20, one>>20, len(questions)),
		held:   ratio <= 1.1,
	}, nil
}

// newMonorepo lays out a project of all languages, and says what to ask in it: names, qualified by files.
func (b *bench) newMonorepo() (project string, questions []string, err error) {
	dir, err := os.MkdirTemp(b.temp, "monorepo-")
	if err != nil {
		return "", nil, err
	}
	project = filepath.Join(dir, "project")
	for below, part := range map[string]*sample.Project{
		".": sample.TypeScript(100), "services/till": sample.Go(100), "tools/report": sample.Python(100), "native": sample.C(100),
	} {
		if err := part.Write(filepath.Join(project, below)); err != nil {
			return "", nil, err
		}
		name := part.Functions()[0]
		file, _, _ := part.Declaration(name)
		questions = append(questions, filepath.ToSlash(filepath.Join(below, file))+":"+name)
	}
	return project, questions, nil
}

type object = map[string]any

// A session is an agent mcp, as Claude Code has one.
type session struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	ids int
}

func (b *bench) attach(ctx context.Context, project string) (*session, error) {
	s := &session{cmd: exec.CommandContext(ctx, filepath.Join(b.bin, "agent"), "mcp")}
	s.cmd.Dir = project
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = s.call("initialize", object{"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "bench", "version": "1"}})
	return s, err
}

// call makes a request and returns the line of its answer.
func (s *session) call(method string, params any) ([]byte, error) {
	s.ids++
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": s.ids, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		answer, err := s.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("agent mcp: %w", err)
		}
		var head struct {
			ID int `json:"id"`
		}
		if json.Unmarshal(answer, &head) == nil && head.ID == s.ids {
			return answer, nil
		}
	}
}

// askAll asks every question and expects an answer with call sites.
func (s *session) askAll(questions []string) error {
	for _, name := range questions {
		answer, err := s.call("tools/call", object{"name": "find_callers", "arguments": object{"name": name}})
		if err != nil {
			return err
		}
		if bytes.Contains(answer, []byte(`"isError":true`)) || !bytes.Contains(answer, []byte("part")) {
			return fmt.Errorf("%s: %s", name, answer)
		}
	}
	return nil
}

func (s *session) leave() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}

// memoryOf returns what a process and its descendants occupy, pages that they share counted once.
func memoryOf(pid int) (int64, error) {
	own, err := proportional(pid)
	if err != nil {
		return 0, err
	}
	children, err := childrenOf(pid)
	for _, child := range children {
		below, err := memoryOf(child)
		if err != nil {
			return 0, err
		}
		own += below
	}
	return own, err
}

// proportional reads the proportional set size of a process from proc(5), in bytes.
func proportional(pid int) (int64, error) {
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(rollup)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "Pss:" {
			kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, nil // it has ended, and nobody has waited for it yet
}

// childrenOf reads the children of all threads of a process.
func childrenOf(pid int) ([]int, error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	var children []int
	for _, list := range lists {
		data, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(data)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				return nil, err
			}
			children = append(children, child)
		}
	}
	return children, nil
}
