package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tidepool/internal/daemontest"
	"tidepool/internal/sample"
	"tidepool/internal/trust"
)

const (
	parts    = 4 // packages of the project that is asked about, beside the one that they call
	patience = 2 * time.Minute
)

// start serves a directory, with a state and memories of its own. The programs in the checkout's bin come first.
func (b *bench) start(ctx context.Context, project string) (*daemontest.Daemon, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.bin, "controlserver"), "serve", "--project", project)
	cmd.Env = append(os.Environ(), "GOWORK=off", "XDG_STATE_HOME="+project+".state", "XDG_DATA_HOME="+project+".data",
		"PATH="+strings.Join([]string{b.bin, os.Getenv("PATH")}, string(filepath.ListSeparator)))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return daemontest.Run(cmd, project)
}

// A warm is a daemon whose language server knows its project, and the call that all doors make.
type warm struct {
	*daemontest.Daemon
	arguments json.RawMessage
	text      string // of the answer
}

// startWarm serves a project of a few files, and asks until the answer is complete.
func (b *bench) startWarm(ctx context.Context, name string) (*warm, error) {
	project := filepath.Join(b.temp, name)
	files := sample.Go(parts)
	if err := files.Write(project); err != nil {
		return nil, err
	}
	if _, err := (trust.Store{Dir: filepath.Join(project+".state", "tidepool")}).Grant(project); err != nil {
		return nil, err
	}
	d, err := b.start(ctx, project)
	if err != nil {
		return nil, err
	}
	function := files.Functions()[0]
	w := &warm{Daemon: d, arguments: fmt.Appendf(nil, `{"name":%q}`, function)}
	if err := w.settle(ctx, len(files.Callers[function])); err != nil {
		d.Kill()
		return nil, err
	}
	return w, nil
}

// settle asks until the answer is complete, and keeps it. want is how many calls there are.
func (w *warm) settle(ctx context.Context, want int) error {
	client, err := openLine(w)
	if err != nil {
		return err
	}
	defer client.close()
	for begin := time.Now(); ; {
		response, err := client.call(ctx)
		if err != nil {
			return err
		}
		var result struct {
			Total        int
			Completeness struct{ State string }
		}
		if err := json.Unmarshal(response.Result, &result); err != nil {
			return err
		}
		switch {
		case result.Completeness.State == "complete" && result.Total == want:
			w.text = response.Text
			return nil
		case result.Completeness.State == "complete", time.Since(begin) > patience:
			return fmt.Errorf("find_callers finds %d calls, want %d: %s", result.Total, want, response.Text)
		}
	}
}
