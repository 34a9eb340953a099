package serve

import (
	"os"
	"testing"

	"tidepool/internal/daemontest"
)

func TestMain(m *testing.M) { os.Exit(daemontest.Trusting(m.Run)) }
