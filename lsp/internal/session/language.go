package session

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/text"
)

// A Language is one entry of the table of languages: which program serves it, when, and how what that
// program says is to be read. Supporting another language is writing another entry.
type Language struct {
	ID      string   // the protocol's language id: "go"
	Name    string   // for people: "Go"
	Command []string // program and arguments of the server, speaking on stdin and stdout
	Install string   // command that installs the program, for a POSIX shell and without a checkout of ours; "": none is known here

	RootMarkers []string // base names, or "*.suffix"; the directory of such a file is a root of this language
	Extensions  []string // of its source files, with the dot
	// System says of a file outside of every tree whose extension tells nothing that the server reads it; nil: it reads none.
	System    func(path string) bool
	Manifests []string // base names, or "*.suffix", of other files that the server must hear about when they change
	// Nested says whether the directory of a marker below the root outer is a root of its own. nil: it is not.
	Nested func(outer, marker string) bool
	// Depends says whether sources of one root may use what those of another declare. nil: the server finds uses in all
	// roots by itself. Otherwise each request is answered from the root of its file alone.
	Depends func(root, on string) bool

	// Annexes are directories outside of a root that the server loads sources from as well, besides what never changes,
	// sorted. manifests are root markers below the root, and above it in the repository; they need not be there. nil: none.
	Annexes func(root string, manifests []string) []string
	// LoadsIgnored says that the server loads the sources of a directory whatever its name and whatever git thinks of it.
	LoadsIgnored bool

	// Linked says that the server finds sources through links to directories, so that it matters when one leads elsewhere. It hears
	// of that, or if LinkedOnce it is started again: it keeps where they led.
	Linked, LinkedOnce bool

	Session    bool                     // its program runs in a session of its own, and starts no others that stay: see process.Program
	Folders    bool                     // one process serves several trees and roots as workspace folders
	Markerless bool                     // source files alone make a project of this language
	LanguageID func(path string) string // the protocol's language id of a file; nil: ID
	// Capabilities are merged into what the server is told that we can do; nil: none.
	Capabilities map[string]any
	// Environ prepares what a session needs before its program starts and returns KEY=value to add to the program's
	// environment; nil: nothing.
	Environ func(s *Session) ([]string, error)
	// Restrain says how the server runs in a project that is not trusted, where nothing may run that the project brings
	// along. It must not wait for the server. Its error is why it does not run there. nil: it runs nothing of the project.
	Restrain func(l Launch) (Restraint, error)
	// Options are the initializationOptions of a session; nil: Settings.
	Options func(s *Session) map[string]any

	// Settings are the initializationOptions and the answer to workspace/configuration; nil: none.
	Settings map[string]any
	// Configured answers workspace/configuration for a folder, "" for none. It is called on the reader of the
	// connection and must not wait for the server. nil: Settings.
	Configured func(s *Session, folder string) map[string]any
	// Section is the name under which the server asks for its configuration.
	Section string

	// LoadTitle is the title of the work-done progress that ends when the server knows the whole project.
	// "": the server does not say, and answers are of unknown completeness.
	LoadTitle string
	// LoadEnd is the message with which that progress ends if the load worked; with another it failed.
	// "": it cannot fail.
	LoadEnd string
	// CheckTitle is the prefix of the titles of the work-done progress that publishes diagnostics, once
	// after the load and once after each notification of a change. "": errors in the project stay unseen.
	CheckTitle string

	// Probe asks a session until the server knows the whole project and says what it covers. It runs after the start
	// and after changes for which Structural is true; while it is due or runs answers are Indexing. Its error makes
	// them Partial. nil: LoadTitle and CheckTitle tell.
	Probe func(ctx context.Context, s *Session) (Coverage, error)
	// Structural says whether changes make another Probe necessary; nil: if a file came, went, or is a manifest.
	Structural func(changes []disk.Change) bool
	// Changed tells a session of what has changed on the disk; nil: by didChange for the documents that it holds open and
	// one didChangeWatchedFiles.
	Changed func(s *Session, what Update) error
	// RemembersOpened says that what the server has found in an open document outlives the document's text until it is opened
	// and asked about again.
	RemembersOpened bool
	// AnswersUnopened says that a question about a source file which is not open costs the server less than to open it.
	AnswersUnopened bool
	// Unit names what of such a server stays checked while a document in it is open, a package: no other file of it needs to be opened.
	// nil: each file is one.
	Unit func(path string) string
	// Notified takes in the server's notifications besides progress, in the order of the stream; of diagnostics when they
	// are known. It must not wait for anything. nil: they are nothing to us.
	Notified func(s *Session, method string, params []byte)

	// Collect has a server that nobody asks collect its garbage, as far as it can; nil: it does so by itself.
	Collect func(ctx context.Context, s *Session) error

	// Uncancellable is the method of the requests that must not be cancelled, whoever makes them; "": each may be.
	Uncancellable string

	// Trivial says that a warning of the server is of no use to people; nil: none is.
	Trivial func(warning string) bool

	// Drafting says how changes are tried out; nil: the server cannot.
	Drafting *Drafting

	// Search makes the query for symbols; nil: workspace/symbol.
	Search func(ctx context.Context, s *Session, query string) ([]protocol.SymbolInformation, error)
	// Macros lists where sources define a macro of exactly this name, sorted by path; nil: the language has no macros of which the
	// server would be asked.
	Macros func(s *Session, name string) []text.Location
	// Missed finds references to the name at a place that the server leaves out of found; nil: it leaves out none.
	Missed func(ctx context.Context, s *Session, to protocol.TextDocumentPositionParams, name string, found []protocol.Location) ([]protocol.Location, error)

	// Beyond says what the server does not know of about a name in files that it covers; "" if nothing. nil: nothing.
	Beyond func(ctx context.Context, s *Session, name string) (string, error)

	// Apart says that the server must not be asked about a file, which it knows only as a part of those that include it: answers
	// about places in it are empty. nil: it may be asked about each.
	Apart func(s *Session, path string) bool

	// SymbolLimit is how many symbols the server returns at most; 0: no limit known.
	SymbolLimit int
	// Exact turns a name as people write it, T.M or pkg.F, into the query for symbols that end in it;
	// nil: the name itself.
	Exact func(name string) string
	// Refine completes a symbol whose Name and Package hold what the server called its name and container.
	// line reads the source line of its identifier, "" if it cannot be read. nil: nothing to complete.
	Refine func(symbol *Symbol, line func() string)
	// Outside reads the project's manifests and returns a function that says of a source file why the server
	// does not load it: "" if it does, or if nobody expects it to. Answers are then partial if such a file
	// mentions the name. language has the settings in force; lookup reads the environment. nil: it loads all.
	Outside func(language *Language, root string, lookup func(key string) string) func(path string) string
	// BinDirs are directories, after PATH, where the language's own installer puts programs. lookup reads
	// the environment of the server. nil: none.
	BinDirs func(lookup func(key string) string) []string
}

// Program returns what people call the server.
func (l *Language) Program() string { return filepath.Base(l.Command[0]) }

// Coverage is what a server knows of a project.
type Coverage struct {
	// Outside says why the server does not cover a source file, "" if it does; nil: it covers all.
	Outside func(path string) string
	// Unknown reports whether the server had no such source file when it was asked, so that news of its text are news of a file; nil: it
	// had all.
	Unknown func(path string) bool
}

// SetSetting adds a setting to a section of the language's own ones, all of which it copies: other entries may share them.
func (l *Language) SetSetting(section, key string, value any) {
	changed := map[string]any{}
	if known, ok := l.Settings[section].(map[string]any); ok {
		maps.Copy(changed, known)
	}
	changed[key] = value
	settings := map[string]any{}
	maps.Copy(settings, l.Settings) // which may be nil
	settings[section] = changed
	l.Settings = settings
}

// Marks reports whether a file of that base name is a root marker of the language.
func (l *Language) Marks(name string) bool {
	return disk.Named(l.RootMarkers, name)
}

// Reads reports whether path is a source file of the language.
func (l *Language) Reads(path string) bool {
	return slices.Contains(l.Extensions, filepath.Ext(path))
}

// Watches reports whether the server must be told when path changes.
func (l *Language) Watches(path string) bool {
	return l.Reads(path) || disk.Named(l.Manifests, filepath.Base(path))
}

// Heeds reports whether the server must be told of a change.
func (l *Language) Heeds(c disk.Change) bool {
	if c.Link {
		return l.Linked
	}
	return l.Watches(c.Path)
}

// LanguageIDOf returns the protocol's language id of a file.
func (l *Language) LanguageIDOf(path string) string {
	if l.LanguageID != nil {
		return l.LanguageID(path)
	}
	return l.ID
}

// TakesTurns reports whether requests about different texts must not be with the server at the same time. pyright 1.1.414
// has answered by the text that came behind the request; gopls takes a snapshot at once.
func (l *Language) TakesTurns() bool { return l.Probe != nil }
