package clang

import (
	"fmt"
	"slices"
	"strings"

	"tidepool/lsp/internal/session"
)

// workerRoom is what one of clangd's workers may occupy while it parses a source with many headers.
const workerRoom = 512 << 20

// workers returns the flag that has clangd parse fewer sources at the same time than there are processors, if its share of memory
// is too small for one on each; "" if not, or if the user has chosen. clangd has no limit of memory; it gives free memory back by
// itself (--malloc-trim), and keeps preambles on the disk as flags says.
func workers(l *session.Launch, processors int) string {
	chosen := slices.Concat(l.Language.Command[1:], strings.Fields(session.Getenv(l.Env, "CLANGD_FLAGS")))
	if l.Memory.Share == 0 || slices.ContainsFunc(chosen, isWorkers) { // clangd takes the flag once
		return ""
	}
	n := max(1, int(l.Memory.Share/workerRoom))
	if n >= processors {
		return ""
	}
	return fmt.Sprintf(" -j=%d", n)
}

func isWorkers(flag string) bool {
	return strings.HasPrefix(strings.TrimLeft(flag, "-"), "j=") || flag == "-j"
}
