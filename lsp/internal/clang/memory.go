package clang

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

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

// arenas has glibc divide clangd's memory into twice as many arenas as there are processors, and not eight times as many: each keeps what
// is freed in it. With 2 processors and ngspice (677,688 lines) clangd 14.0.6 has 400 MB once it has loaded, and 330 with half as many,
// which takes 58 s instead of 54; left alone it has 656 MB. A threshold of mmap of 256 KB takes a fifth more time. nil if the user has
// chosen.
func arenas(env []string, processors int) []string {
	const variable = "MALLOC_ARENA_MAX"
	if session.Getenv(env, variable) != "" {
		return nil
	}
	return []string{fmt.Sprintf("%s=%d", variable, 2*processors)}
}

// trimming is how often clangd gives memory back at the most, with a little more.
const trimming = time.Minute + time.Second

// collect has clangd give memory back that it has freed. It does so when it is told something, once a minute at the most.
func collect(ctx context.Context, s *session.Session) error {
	if err := outlast(ctx, trimming); err != nil {
		return err
	}
	return s.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, session.Watched(nil))
}

func isWorkers(flag string) bool {
	return strings.HasPrefix(strings.TrimLeft(flag, "-"), "j=") || flag == "-j"
}
