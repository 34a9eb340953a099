package cmddoc

import (
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var update = flag.Bool("update", false, "write testdata")

// A grammar has what completions and pages must take care of: texts with characters that mean something to a shell or to roff,
// commands below commands, choices, and what is hidden.
type grammar struct {
	Project string `help:"It's \"the\" directory [of $HOME]: a\\b $(exit 3)." placeholder:"DIR"`

	Show struct {
		ID   string   `arg:"" help:"Its id."`
		More []string `arg:"" optional:"" help:"More of them."`
		Form string   `short:"f" help:".form as 'text' or json." enum:"text,json" default:"text"`
	} `cmd:"" help:"'Print' one."`
	Store struct {
		List struct {
			All bool `help:"All of them."`
		} `cmd:"" default:"withargs" help:"List them."`
		Drop struct {
			Kind string `arg:"" enum:"old,new" help:"Which."`
		} `cmd:"" help:"Drop: some."`
	} `cmd:"" help:"Keep them."`
	Secret struct{} `cmd:"" hidden:"" help:"For programs."`
}

func sample(t *testing.T) Command {
	t.Helper()
	parser, err := kong.New(new(grammar), kong.Name("controlserver"), kong.Description("A program."))
	if err != nil {
		t.Fatal(err)
	}
	return Controlserver(parser.Model)
}

func TestGolden(t *testing.T) {
	program := sample(t)
	for name, write := range map[string]func(io.Writer, Command) error{
		"bash": Bash, "zsh": Zsh, "fish": Fish,
		"1": func(to io.Writer, c Command) error { return ControlserverPage(to, c, "0.2.0") },
	} {
		var b strings.Builder
		if err := write(&b, program); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "controlserver."+name)
		if *update {
			if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || b.String() != string(want) {
			t.Errorf("%s is not %s (%v); go test ./controlserver/internal/cmddoc -update writes it:\n%s", name, path, err, b.String())
		}
	}
}

// complete returns what bash offers behind words, the last of which is being typed.
func complete(t *testing.T, program Command, words ...string) string {
	t.Helper()
	var script strings.Builder
	if err := Bash(&script, program); err != nil {
		t.Fatal(err)
	}
	script.WriteString("COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1))\n_controlserver\nprintf '%s ' \"${COMPREPLY[@]}\"\n")
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{"-uc", script.String(), "bash", "controlserver"}, words...)...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("bash: %v\n%s", err, complaints.String())
	}
	return strings.TrimSpace(string(out))
}

func TestBashCompletes(t *testing.T) {
	program := sample(t)
	for line, want := range map[string]string{
		"":                       "show store --help -h --project",
		"s":                      "show store",
		"sec":                    "",
		"show --":                "--form --help --project",
		"show --form ":           "text json",
		"show -f j":              "json",
		"show --form = t":        "text",
		"show --project ":        "", // files
		"show --form text --f":   "--form",
		"store ":                 "list drop --all --help -h --project",
		"store drop n":           "new",
		"store drop old --pro":   "--project",
		"store list --a":         "--all",
		"nonsense --p":           "--project",
		"store drop --project =": "",
	} {
		if got := complete(t, program, strings.Split(line, " ")...); got != want {
			t.Errorf("%q is completed by %q, want %q", line, got, want)
		}
	}
}

// Each line of a page is a request that man knows, or text that is none.
func TestPageHasNoStrayRequests(t *testing.T) {
	var b strings.Builder
	if err := ControlserverPage(&b, sample(t), "0.2.0"); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		request, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !strings.Contains(" .TH .SH .SS .PP .TP .B .I .BR ", " "+request+" ") {
			t.Errorf("the page has the request %q", line)
		}
	}
}
