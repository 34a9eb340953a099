package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/protocol"
)

// How many events are sent to each server in one round, and how many rounds there are: the clock of the machine changes
// within seconds, so that only what is measured within one round can be compared.
const (
	events = 10_000
	rounds = 11
)

func measureEventAgainstEcho(ctx context.Context, b *bench) (figure, error) {
	pairs, err := b.compareEvents(ctx, "echo")
	if err != nil {
		return figure{}, err
	}
	f := pairs.atMost(3)
	f.detail = "CPU: " + f.detail
	return f, nil
}

func measureEventAgainstHTTP(ctx context.Context, b *bench) (figure, error) {
	pairs, err := b.compareEvents(ctx, "http")
	if err != nil {
		return figure{}, err
	}
	less := 1 / pairs.ratio()
	return figure{ratio: fmt.Sprintf("%.1f× less", less), detail: "CPU: " + pairs.String(), held: less >= 2}, nil
}

// compareEvents takes the CPU time of one event, both sides together, for the daemon and for a peer.
func (b *bench) compareEvents(ctx context.Context, kind string) (*pairs, error) {
	input, err := os.ReadFile(filepath.Join(b.root, hookSample))
	if err != nil {
		return nil, err
	}
	input = bytes.TrimSpace(input)
	project, stop, err := b.startDaemon(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	pid, err := daemonPID(ctx, project)
	if err != nil {
		return nil, err
	}
	p, stopPeer, err := b.startPeer(kind)
	if err != nil {
		return nil, err
	}
	defer stopPeer()
	return alternate(rounds, 0, func(int) (time.Duration, error) {
		return cpuOf(pid, func() error { return sendEvents(daemontest.Socket(project), input) })
	}, func(int) (time.Duration, error) {
		return cpuOf(p.pid, func() error { return sendTo(kind, p.socket, input) })
	})
}

// sendEvents is the client's side of the wire, as the agent has it.
func sendEvents(socket string, input []byte) error {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	r := protocol.NewReader(conn)
	var line []byte
	for range events {
		line = protocol.AppendRequest(line[:0], &protocol.HookEvent{Input: input, Runtime: "claude"})
		if _, err := conn.Write(line); err != nil {
			return err
		}
		reply, err := r.ReadLine()
		if err != nil {
			return err
		}
		response, err := protocol.DecodeResponse(reply)
		if err != nil {
			return err
		}
		if _, ok := response.(*protocol.HookResponse); !ok {
			return fmt.Errorf("got %s", reply)
		}
	}
	return nil
}

func sendTo(kind, socket string, input []byte) error {
	if kind == "http" {
		client := webClient(socket)
		defer client.CloseIdleConnections()
		return repeat(func() error { return postHook(client, input) })
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	r := protocol.NewReader(conn)
	line := append(bytes.Clone(input), '\n')
	return repeat(func() error {
		if _, err := conn.Write(line); err != nil {
			return err
		}
		_, err := r.ReadLine()
		return err
	})
}

func repeat(once func() error) error {
	for range events {
		if err := once(); err != nil {
			return err
		}
	}
	return nil
}

// cpuOf returns the CPU time this process and the other one spent in f,
// divided by the events that f sends.
func cpuOf(pid int, f func() error) (time.Duration, error) {
	otherBefore, err := processCPU(pid)
	if err != nil {
		return 0, err
	}
	before := ownCPU()
	if err := f(); err != nil {
		return 0, err
	}
	own := ownCPU() - before
	other, err := processCPU(pid)
	if err != nil {
		return 0, err
	}
	return (own + other - otherBefore) / events, nil
}

func ownCPU() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// processCPU reads user and system time of a process from proc(5), in ticks of
// 10 ms.
func processCPU(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, errors.New("unexpected format of /proc/PID/stat")
	}
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond, errors.Join(err1, err2)
}

// daemonPID asks the daemon of a project.
func daemonPID(ctx context.Context, project string) (int, error) {
	status, err := daemontest.Ask[*protocol.StatusResponse](ctx, daemontest.Socket(project), &protocol.StatusRequest{})
	if err != nil {
		return 0, err
	}
	return status.PID, nil
}
