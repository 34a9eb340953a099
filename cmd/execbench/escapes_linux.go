package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"tidepool/internal/figures"
	"tidepool/internal/sandbox"
	"tidepool/internal/sandbox/escape"
)

// escapes tries the table of ways out at each level, as root and as a user where this is root.
func escapes(ctx context.Context, _ string) ([]figures.Row, error) {
	stage, err := escape.NewStage(ctx)
	if err != nil {
		return nil, err
	}
	defer stage.Close()
	var rows []figures.Row
	for _, as := range escape.Users() {
		for _, level := range []sandbox.Level{sandbox.Full, sandbox.Partial} {
			p := escape.Place{User: as, Options: escape.Options{Level: level, Control: level == sandbox.Full}}
			if level == sandbox.Partial {
				p.Prepared = []escape.Step{escape.NoUserNamespaces}
			}
			results, err := stage.Try(ctx, p)
			if err != nil {
				return nil, err
			}
			rows = append(rows, escapeRow(as, level, results))
		}
	}
	return rows, nil
}

// escapeRow counts what was held. What a machine lacks does not count: no control shows that the row means something.
func escapeRow(user int, level sandbox.Level, results []escape.Result) figures.Row {
	open := map[string]bool{}
	for _, w := range escape.Ways() {
		open[w.Name] = level == sandbox.Partial && w.Open(user) != ""
	}
	tried, held, named, absent := 0, 0, 0, 0
	var wrong []string
	for _, r := range results {
		switch {
		case r.Absent != "":
			absent++
			continue
		case open[r.Way] != r.Held():
			held++
		default:
			wrong = append(wrong, r.Way)
		}
		tried++
		if open[r.Way] {
			named++
		}
	}
	fmt.Fprint(os.Stderr, strings.Join(append(wrong, ""), "\n"))
	r := figures.Row{
		What: fmt.Sprintf("ways out, %s, twice in one project, at `%s`", userName(user), level), Hold: "all",
		Measured: fmt.Sprintf("%d of %d", held, tried), Held: held == tried, Beside: fmt.Sprintf("%d more are about what this machine has not", absent),
	}
	if level == sandbox.Partial {
		r.Hold, r.Measured, r.Beside = "all but the named ones", fmt.Sprintf("%d of %d, %d named", held-named, tried, named), ""
	}
	return r
}

func userName(uid int) string {
	if uid == 0 {
		return "as root"
	}
	return "as a user"
}
