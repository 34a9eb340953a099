package main

import (
	"context"
	"fmt"

	uv "github.com/charmbracelet/ultraviolet"

	"tidepool/internal/screen"
)

// answered returns what is asked in the picture: by a search for the word, then of tidepool.
func answered() []string {
	return []string{
		`grep -rnw Of --include='*.go' . | wc -l`,
		`agent call find_callers List.Of`,
		`agent scout "add a parameter to Source.Of"`,
	}
}

// playAnswers types commands into a terminal.
func playAnswers(ctx context.Context, s *stage) (*uv.Buffer, error) {
	terminal := screen.New(88, 40)
	defer terminal.Close()
	for _, line := range answered() {
		terminal.Print("\x1b[1;32m$\x1b[0m \x1b[1m" + line + "\x1b[0m\n")
		program, err := terminal.Start(s.command(ctx, "sh", "-c", line))
		if err != nil {
			return nil, err
		}
		if err := program.Wait(); err != nil {
			return nil, fmt.Errorf("%s: %w; the terminal shows:\n%s", line, err, terminal)
		}
		terminal.Print("\n")
	}
	return terminal.Cells(), nil
}
