package golang_test

import (
	"os"
	"testing"

	"tidepool/tools/internal/toolstest"
)

func TestMain(m *testing.M) {
	toolstest.Analyse()
	os.Exit(m.Run())
}
