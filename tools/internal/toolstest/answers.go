package toolstest

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// Update is whether tests write what they compare with anew.
var Update = flag.Bool("update", false, "write the answers and surfaces that tests compare with")

// CompareAnswers asks the questions of an archive, each of which is the name of a file that holds its answer. Run a test with
// -update to write the answers anew, and read each line that changes.
func CompareAnswers(t *testing.T, path string, answer func(question string) string) {
	t.Helper()
	answers, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers.Files {
		got := answer(a.Name) + "\n"
		if diff := cmp.Diff(string(a.Data), got); diff != "" && !*Update {
			t.Errorf("%s (-want +got):\n%s", a.Name, diff)
		}
		answers.Files[i].Data = []byte(got)
	}
	if *Update {
		if err := os.WriteFile(path, txtar.Format(answers), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
