package ancestry_test

import (
	"os"
	"testing"

	"tidepool/internal/ancestry/ancestrytest"
)

func TestMain(m *testing.M) { os.Exit(ancestrytest.Detach(m.Run)) }
