// Doorsbench measures what each way to the tools costs: the same call by line, by JSON over HTTP, by gRPC, and by MCP over HTTP. It also
// measures whether lines cost more in a daemon that was asked by all of them, and how long a daemon takes to start.
//
// Run it by make bench-doors. -only runs one group of rows, -write puts the table into docs/figures.md.
package main

import (
	"context"
	"os"
	"path/filepath"

	"tidepool/internal/figures"
)

func main() { figures.Main(run) }

// A bench holds what the groups share.
type bench struct {
	bin  string // the checkout's bin directory
	temp string // removed at the end
}

// groups lists them in the order of the table.
func (b *bench) groups() []figures.Group {
	return []figures.Group{{Name: "doors", Rows: b.doorRows}, {Name: "lines", Rows: b.lineRows}, {Name: "start", Rows: b.startRows}}
}

func run(ctx context.Context, args []string) error {
	checkout, err := os.Getwd()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "tidepool-doorsbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	return figures.Publish(ctx, args, "doors", (&bench{bin: filepath.Join(checkout, "bin"), temp: temp}).groups())
}
