package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"tidepool/internal/state"
)

// The directories in the scratch directory. What they contain comes from commands: the daemon mounts, moves and removes them and
// opens nothing in them.
const (
	sessionsDir = "tmp"
	cacheDir    = "cache"
	heldDir     = "held"
)

// places are the directories that a command has besides its project.
type places struct {
	tmp, cache, held string // absolute
}

// makePlaces makes the directories for a command of a session.
func (s *Sandbox) makePlaces(session string) (places, error) {
	dir, err := state.OpenDir(s.options.Scratch)
	if err != nil {
		return places{}, err
	}
	defer dir.Close()
	of := func(sub *state.Dir) string {
		if err == nil {
			err = sub.Make()
		}
		return sub.Path()
	}
	p := places{tmp: of(dir.Sub(sessionsDir).Sub(nameOf(session))), cache: of(dir.Sub(cacheDir)), held: of(dir.Sub(heldDir))}
	if err == nil {
		err = prune(dir.Sub(heldDir))
	}
	if err != nil {
		return places{}, err
	}
	for _, path := range []*string{&p.tmp, &p.cache, &p.held} {
		if *path, err = resolve(*path); err != nil {
			return places{}, err
		}
	}
	return p, nil
}

// maxHeld is how many commands' held entries are kept, each command's in a directory named by the time.
const maxHeld = 100

// prune removes the oldest held entries.
func prune(held *state.Dir) error {
	entries, err := held.List()
	for n := 0; n < len(entries)-maxHeld && err == nil; n++ {
		err = held.Sub(entries[n].Name()).Clear()
	}
	return err
}

// nameOf returns the name of a session's directory. Sessions name themselves, so the name is a hash.
func nameOf(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:12])
}

// EndSession removes the /tmp of a session, whose commands have ended. It is no error if there is none.
func (s *Sandbox) EndSession(session string) error {
	dir, err := state.OpenDir(s.options.Scratch)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sub(sessionsDir).Sub(nameOf(session)).Clear()
}

// cacheVariables returns the variables that name the caches of build tools, and /tmp. HOME cannot be written to, and the user's own
// caches must not be: a poisoned one runs outside.
func cacheVariables(cache, tmp string) map[string]string {
	below := func(name string) string { return filepath.Join(cache, name) }
	return map[string]string{
		"TMPDIR": tmp, "TMP": tmp, "TEMP": tmp, "GOTMPDIR": "",
		"XDG_CACHE_HOME": below("xdg"), "XDG_STATE_HOME": below("state"), "XDG_RUNTIME_DIR": "",
		"GOCACHE": below("go-build"), "STATICCHECK_CACHE": below("staticcheck"), "GOLANGCI_LINT_CACHE": below("golangci-lint"),
		"npm_config_cache": below("npm"), "YARN_CACHE_FOLDER": below("yarn"), "COREPACK_HOME": below("corepack"),
		"PIP_CACHE_DIR": below("pip"), "UV_CACHE_DIR": below("uv"), "MYPY_CACHE_DIR": below("mypy"), "RUFF_CACHE_DIR": below("ruff"),
		"CARGO_TARGET_DIR": below("cargo-target"), "SCCACHE_DIR": below("sccache"), "CCACHE_DIR": below("ccache"),
		"GRADLE_USER_HOME": below("gradle"),
	}
}
