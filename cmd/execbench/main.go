// Execbench measures what a model runs unasked: how well it is confined, what it costs, and what is shown of it. Each figure stands
// beside its bound and its peer.
//
// Run it by make bench-exec. -only runs one group of rows, -write puts the table into docs/figures.md.
package main

import (
	"context"
	"os"

	"tidepool/internal/figures"
	"tidepool/internal/measure"
)

func main() {
	figures.Main(run)
}

// groups lists them in the order of the table.
func groups() []figures.Group {
	sandbox, _ := confined()
	return append(sandbox,
		figures.Group{Name: "preview", Rows: previewRows}, figures.Group{Name: "secrets", Rows: secretRows}, figures.Group{Name: "native", Rows: nativeRows})
}

// steps returns what runs in processes of its own, which this program starts with the name of a step and a directory as arguments.
func steps() map[string]measure.Step {
	_, all := confined()
	all["scrub"] = scrubStep
	return all
}

func run(ctx context.Context, args []string) error {
	if len(args) == 2 && steps()[args[0]] != nil {
		return measure.Serve(ctx, steps()[args[0]], args[1], os.Stdout)
	}
	return figures.Publish(ctx, args, "exec", groups())
}
