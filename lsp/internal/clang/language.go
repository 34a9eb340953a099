// Package clang serves C and C++ by clangd 14 to 19. It declares a session.Language.
//
// clangd reads closed files once in a process, and tells nobody what it leaves out. So an index is kept in step with the disk
// here (index.go): sources are read for what they include and where clangd may not know a name (source.go), compile commands
// are found or guessed (plan.go) and given when they are needed (load.go, assign.go), changed files are made to be read again
// (reread.go) and to be part of the answers (talk.go), in a store below .tidepool (store.go).
package clang

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
)

// Language returns the entry for C and C++ and clangd. What is said of it here and in the files beside was measured with
// versions 14.0.6 and 19.
func Language() session.Language {
	return session.Language{
		ID:          "c",
		Name:        "C/C++",
		Command:     []string{"clangd"},
		Install:     installLine(),
		RootMarkers: []string{"compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "meson.build"},
		Extensions:  append(units(), ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".inc", ".def"),
		Manifests:   []string{"compile_commands.json", "compile_flags.txt", ".clangd"},
		Markerless:  true,
		Linked:      true,
		Session:     true, // or else its threads of low priority hardly index beside anything busy
		LanguageID:  languageID,
		Capabilities: map[string]any{
			// Begins a task before it answers the next message, and not only when we have agreed to the token.
			"window":       map[string]any{"implicitWorkDoneProgressCreate": true},
			"workspace":    map[string]any{"symbol": kinds()},
			"textDocument": map[string]any{"documentSymbol": kinds()},
		},
		Settings:        map[string]any{"clangdFileStatus": true},
		Environ:         environ,
		Options:         options,
		Probe:           probe,
		Structural:      func([]disk.Change) bool { return true },
		RemembersOpened: true,
		Changed:         changed,
		Notified:        hear,
		System:          system,
		Search:          search,
		Macros:          macros,
		Missed:          missed,
		Beyond:          beyond,
		Apart:           apart,
		Exact:           exact,
		Refine:          refine,
		BinDirs:         binDirs,
		Collect:         collect,
	}
}

// units returns the extensions of files that compilers are called for; the others are included by them.
func units() []string { return []string{".c", ".cc", ".cpp", ".cxx", ".c++"} }

func isUnit(path string) bool { return slices.Contains(units(), filepath.Ext(path)) }

// installLine is asked for whenever the table of languages is made, and looks once.
var installLine = sync.OnceValue(func() string { return install(onPath) })

// install returns the command that installs clangd by the package manager of this machine, "" if none is known.
func install(has func(program string) bool) string {
	asRoot := "sudo "
	if os.Geteuid() == 0 {
		asRoot = ""
	}
	switch {
	case has("apt-get"):
		return asRoot + "apt-get update && " + asRoot + "apt-get install -y --no-install-recommends clangd"
	case has("dnf"):
		return asRoot + "dnf install -y clang-tools-extra"
	case has("pacman"):
		return asRoot + "pacman -S --noconfirm clang"
	case has("brew"):
		return "brew install llvm"
	case has("xcode-select"):
		return "xcode-select --install"
	}
	return ""
}

func onPath(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// binDirs returns where Homebrew puts clangd, which it links nowhere.
func binDirs(func(string) string) []string {
	return []string{"/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin"}
}

// options are the settings, and where the compile commands lie. They come from us alone: then the index lies where we say and not in
// the project, files without a command get one that fits the project, and clangd starts to index at once and not when the first file
// is opened.
func options(s *session.Session) map[string]any {
	all := maps.Clone(s.Language.Settings)
	all["compilationDatabasePath"] = s.Own.(*index).store.dir
	return all
}

// flags are for CLANGD_FLAGS, so that a command of the user's own need not repeat them.
func flags() string {
	return "--background-index --limit-references=0 --limit-results=0" +
		" --clang-tidy=false --header-insertion=never --pch-storage=disk --log=info"
}

// kinds says that we know all kinds of symbols; to others clangd calls a struct a class and an enumerator an enum.
func kinds() map[string]any {
	var all []int
	for kind := protocol.SymbolKindFile; kind <= protocol.SymbolKindTypeParameter; kind++ {
		all = append(all, int(kind))
	}
	return map[string]any{"symbolKind": map[string]any{"valueSet": all}}
}

// system says that a file is a header of the system, whatever it is called: those of C++'s library are string_view and basic_string.tcc.
func system(path string) bool { return strings.Contains(filepath.ToSlash(path), "/include/") }

func languageID(path string) string {
	if ext := filepath.Ext(path); ext == ".c" || ext == ".h" {
		return "c"
	}
	return "cpp"
}

// exact asks for the last component alone: clangd takes those before it for a wish.
func exact(name string) string {
	return name[strings.LastIndexAny(name, ".:")+1:]
}

// changed takes note for the probe that follows.
func changed(s *session.Session, what session.Update) error {
	if err := s.Refresh(what.Changes); err != nil {
		return err
	}
	index := s.Own.(*index)
	index.mu.Lock()
	defer index.mu.Unlock()
	for _, c := range what.Changes {
		index.told[c.Path] = true
	}
	return nil
}

func probe(ctx context.Context, s *session.Session) (session.Coverage, error) {
	index := s.Own.(*index)
	return index.probe(ctx, s)
}
