package client

import (
	"cmp"
	"path/filepath"
)

// serverName is the name under which a client shows the tools.
const serverName = "tidepool"

// program is the base name by which entries of ours are known.
const program = "agent"

// A Client is a program, other than Claude Code, that uses tools.
type Client struct {
	Name  string // on the command line: "codex"
	Title string // as it calls itself: "Codex"
	Once  string // what a person has to do in the client after the first set-up of a project, a sentence; "": nothing

	project func(dir string, exists func(path string) bool) []File
	user    func(User) []File
}

// A File is a file of a client, and what entries of ours it has.
type File struct {
	Path  string
	Parts []Part
	Fresh string // what a file holds that is made for our entries, without them
}

// A Part is one kind of entries in a file.
type Part interface {
	// Find returns the entries that are ours, in the order of the text.
	Find(text []byte) ([]Entry, error)
	// Put makes all entries name the program, and adds those that are missing.
	Put(text []byte, program string) ([]byte, error)
	// Remove takes the entries out, and what that leaves empty.
	Remove(text []byte) ([]byte, error)
}

// An Entry is one that is ours.
type Entry struct {
	What    string // "MCP server", "hooks"
	Command string // the program
	Off     string // what in the file switches it off: "enabled = false"; "": nothing
}

// A User says where a user's files are.
type User struct {
	Home   string // absolute
	Getenv func(string) string
	Exists func(path string) bool
}

// All returns the clients.
func All() []Client {
	return []Client{codex(), gemini(), cursor(), opencode()}
}

// Find returns the client of that name.
func Find(name string) (Client, bool) {
	for _, c := range All() {
		if c.Name == name {
			return c, true
		}
	}
	return Client{}, false
}

// ProjectFiles returns the files of a project.
func (c Client) ProjectFiles(dir string, exists func(path string) bool) []File {
	return c.project(dir, exists)
}

// UserFiles returns the files of a user.
func (c Client) UserFiles(u User) []File { return c.user(u) }

func codex() Client {
	files := func(dir string) []File {
		return []File{
			{Path: filepath.Join(dir, "config.toml"), Parts: []Part{codexServer{}}},
			{Path: filepath.Join(dir, "hooks.json"), Parts: []Part{codexHooks()}, Fresh: "{}\n"},
		}
	}
	return Client{
		Name: "codex", Title: "Codex",
		Once: "Codex reads a project's .codex only where it trusts the project, and runs hooks only when they are trusted, too: " +
			"say yes when it asks, and look at /hooks there.",
		project: func(dir string, _ func(string) bool) []File { return files(filepath.Join(dir, ".codex")) },
		user: func(u User) []File {
			return files(cmp.Or(u.Getenv("CODEX_HOME"), filepath.Join(u.Home, ".codex")))
		},
	}
}

func gemini() Client {
	files := func(dir string) []File {
		return []File{{Path: filepath.Join(dir, ".gemini", "settings.json"), Parts: []Part{jsonServer{at: "/mcpServers"}, geminiHooks()}, Fresh: "{}\n"}}
	}
	return Client{
		Name: "gemini", Title: "Gemini CLI",
		Once:    "Gemini CLI starts no server and no hook in a folder that it does not trust: say yes when it asks, or use /permissions there.",
		project: func(dir string, _ func(string) bool) []File { return files(dir) },
		user:    func(u User) []File { return files(cmp.Or(u.Getenv("GEMINI_CLI_HOME"), u.Home)) },
	}
}

func cursor() Client {
	files := func(dir string) []File {
		return []File{{Path: filepath.Join(dir, ".cursor", "mcp.json"), Parts: []Part{jsonServer{at: "/mcpServers"}}, Fresh: "{}\n"}}
	}
	return Client{
		Name: "cursor", Title: "Cursor",
		Once: "Cursor shows a new server in its settings, below MCP: switch it on there.",
		project: func(dir string, _ func(string) bool) []File {
			hooks := File{Path: filepath.Join(dir, ".cursor", "hooks.json"), Parts: []Part{cursorHooks()}, Fresh: "{\n  \"version\": 1\n}\n"}
			return append(files(dir), hooks)
		},
		user: func(u User) []File { return files(u.Home) }, // its hooks would not run in the project's directory
	}
}

func opencode() Client {
	files := func(dir string, exists func(string) bool) []File {
		path := filepath.Join(dir, "opencode.json")
		if !exists(path) && exists(path+"c") {
			path += "c"
		}
		return []File{{Path: path, Parts: []Part{jsonServer{at: "/mcp", list: true}}, Fresh: "{}\n"}}
	}
	return Client{
		Name: "opencode", Title: "opencode",
		project: files,
		user: func(u User) []File {
			dir := cmp.Or(u.Getenv("XDG_CONFIG_HOME"), filepath.Join(u.Home, ".config"))
			return files(filepath.Join(dir, "opencode"), u.Exists)
		},
	}
}
