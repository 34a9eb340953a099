package preview

import (
	"strings"
	"unicode/utf8"
)

// Input is what a command printed.
type Input struct {
	Command string // the command line; nothing depends on it, because formats go by the output alone
	Exit    int    // the exit status; 0: success
	Stdout  string
	Stderr  string
}

// Preview is the part of an output that is shown.
type Preview struct {
	// Text is Stdout and Stderr, the one with the runner's verdict first. "": the command printed nothing.
	Text string
	// Format names what was recognised: "go test", "cargo+pytest"; "general" for lines that name places or errors, "end" for
	// the beginning and the end, "whole" if nothing was left out.
	Format string
	Stdout string // what is shown of the one stream: verdicts first, then lines in their order
	Stderr string // what is shown of the other
	Lines  int    // of both streams
	Shown  int    // lines of Text that stand in the output, cut ones among them
	Whole  bool   // nothing is left out but escape sequences
}

// Of returns a preview of at most so many characters; fewer than 40 count as 40.
func Of(in Input, characters int) Preview {
	characters = max(characters, 40)
	out := newOutput(in)
	if p, ok := whole(out, characters); ok {
		return p
	}
	picks, name := choose(out)
	s := selection{out: out, room: characters, widest: max(characters/3, 30)}
	s.fill(picks)
	return s.preview(name)
}

// whole returns the output itself if it fits.
func whole(out *output, characters int) (Preview, bool) {
	stdout, stderr := strings.TrimRight(out.stdout, "\n"), strings.TrimRight(out.stderr, "\n")
	text := join(stdout, stderr)
	if out.overwritten || len(text) > characters*utf8.UTFMax || utf8.RuneCountInString(text) > characters {
		return Preview{}, false
	}
	return Preview{Text: text, Format: "whole", Stdout: stdout, Stderr: stderr, Lines: out.lines(), Shown: out.lines(), Whole: true}, true
}

// join puts two texts below each other.
func join(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "\n" + second
}
