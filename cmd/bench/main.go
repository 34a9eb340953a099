// Bench measures tidepool and prints each figure beside its bound: a ratio to
// a named peer, taken side by side in one run, because absolute times depend
// on the machine.
//
// Run it by make bench, which builds what it needs. With a row's number as
// argument it measures only that row. With -write it also puts the table into
// docs/figures.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"tidepool/internal/figures"
	"tidepool/lsp/lsptest"
)

func main() {
	lsptest.Main()
	figures.Main(run)
}

// A row is one line of the table.
type row struct {
	what, hold string
	measure    func(context.Context, *bench) (figure, error)
}

// A figure is what a row was measured at.
type figure struct {
	ratio  string
	detail string
	held   bool
}

// errNotHere is returned by a row whose peer is not on this machine.
var errNotHere = errors.New("not measured")

func rows() []row {
	return append([]row{
		{"`agent hook`, whole process, against a bare Go program that only does the socket round trip", "≤ 1.10×", measureHookProcess},
		{"the same, against a bash + curl + jq hook doing the same work", "≥ 20× faster", measureShellHook},
		{"one ~1 KB hook event in a kept connection, CPU of both sides, against a line echo on the same kind of socket", "≤ 3×", measureEventAgainstEcho},
		{"the same, against net/http over a Unix socket", "≥ 2× less", measureEventAgainstHTTP},
		{"start to first Pong", "≤ 50 ms", measureStart},
		{"autostart: the first hook of a session, whole process, from no daemon to its answer", "≤ 50 ms", measureFirstHook},
		{"the same hook where the daemon runs, against any other hook", "≤ 1.5×", measureSessionHook},
		{"memory of the daemon and all servers, ten sessions in one project of four languages, against one", "≤ 1.1×", measureSessions},
		{"stat walk after Bash, one file of 20,000 changed", "≤ 60 ms", walkOf(20_000, 60*time.Millisecond)},
		{"the same, one file of 200,000", "≤ 250 ms", walkOf(200_000, 250*time.Millisecond)},
		{"exo_status, 50,000 files, `bd` and `gh` at 200 ms each, against the slowest source", "≤ 1.3×", measureWork},
		{"a question of a tool, from the call to the screen of an attached `agent ui`", "≤ 50 ms", measureQuestion},
		{"`agent ui` while nothing happens", "≤ 1 %", measureIdleUI},
	}, languageRows()...)
}

// A bench holds what the rows share.
type bench struct {
	root string // the checkout
	bin  string // its bin directory
	temp string // removed at the end
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	write := flags.Bool("write", false, "put the table into docs/figures.md, too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() == 2:
		return serve(flags.Arg(0), flags.Arg(1))
	case *write && flags.NArg() > 0:
		return errors.New("-write puts the whole table into docs/figures.md: leave out the row")
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "tidepool-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	os.Setenv("XDG_DATA_HOME", filepath.Join(temp, "data")) // what the daemons remember is not their user's
	table, err := measure(ctx, &bench{root: root, bin: filepath.Join(root, "bin"), temp: temp}, flags.Arg(0))
	if err == nil && *write {
		err = table.Write(root, "bench")
	}
	if err != nil {
		return err
	}
	return table.Err()
}

// measure prints the table of all rows, or of the one with this number.
func measure(ctx context.Context, b *bench, only string) (*figures.Table, error) {
	table := figures.NewTable(os.Stdout, "")
	for i, r := range rows() {
		if only != "" && only != fmt.Sprint(i+1) {
			continue
		}
		f, err := r.measure(ctx, b)
		switch {
		case errors.Is(err, errNotHere):
			f = figure{ratio: "—", detail: err.Error(), held: true}
		case err != nil:
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		table.Add(figures.Row{What: r.what, Hold: r.hold, Measured: f.ratio, Beside: f.detail, Held: f.held})
	}
	return table, nil
}
