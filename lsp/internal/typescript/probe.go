package typescript

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"tidepool/lsp/internal/disk"
	"tidepool/lsp/internal/session"
	"tidepool/lsp/internal/text"
)

// maxTries bounds the files opened for one configuration file that turn out to belong to no project that it refers to.
const maxTries = 4

// probeProjects has tsserver load every project there is and tells which files they hold.
//
// tsserver loads a project when a file of it is opened, and forgets it some time after; a question is answered from the
// projects that are loaded. As an external project, which Visual Studio opens for its solutions, configuration files
// stay loaded without an open file, and so do files that no configuration covers. The request returns when all is loaded.
func probeProjects(ctx context.Context, s *session.Session) (session.Coverage, error) {
	ctx = session.AboutNoText(ctx)
	p := probe{session: s, began: time.Now().Add(-disk.RacyWindow), sources: s.Host.Sources(), links: s.Host.Links()}
	p.configure()
	for _, step := range []func(context.Context) error{p.reinstalled, p.load, p.reload, p.try, p.loose, p.catchUp} {
		if err := step(ctx); err != nil {
			return session.Coverage{}, err
		}
	}
	return session.Coverage{Outside: p.judge(), Unknown: func(path string) bool { return !p.seen[path] }}, nil
}

// A probe is one look at what tsserver knows.
type probe struct {
	session *session.Session
	began   time.Time
	sources []string
	links   []disk.Link
	configs []string           // configuration files, outermost first
	nearest map[string]string  // by directory: the configuration file that is its own or the nearest above
	loaded  map[string]project // by name
	seen    map[string]bool    // files that a project holds
	extra   map[string]bool    // those that only we have put into one
}

// configure finds the configuration files in the directories of sources and above, up to the folders.
func (p *probe) configure() {
	p.nearest = map[string]string{}
	folders := p.session.Folders()
	for _, path := range p.sources {
		p.above(filepath.Dir(path), folders)
	}
	slices.SortFunc(p.configs, func(a, b string) int { return len(a) - len(b) })
}

// above returns the configuration file of a directory.
func (p *probe) above(dir string, folders []string) string {
	if known, ok := p.nearest[dir]; ok {
		return known
	}
	config := ""
	for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); config == "" && err == nil && info.Mode().IsRegular() {
			config = path
			p.configs = append(p.configs, path)
		}
	}
	parent := filepath.Dir(dir)
	if up := ""; parent != dir && !slices.Contains(folders, dir) {
		if up = p.above(parent, folders); config == "" {
			config = up
		}
	}
	p.nearest[dir] = config
	return config
}

// external is a project that tsserver holds for us.
type external struct {
	Name    string         `json:"projectFileName"`
	Files   []root         `json:"rootFiles"`
	Options map[string]any `json:"options"`
}

type root struct {
	Name string `json:"fileName"`
}

// configured returns the external project of all configuration files.
func (p *probe) configured() external {
	return external{Name: filepath.Join(p.session.Dir, "tidepool:configured"), Files: roots(p.configs), Options: map[string]any{}}
}

func roots(paths []string) []root {
	roots := make([]root, 0, len(paths))
	for _, path := range paths {
		roots = append(roots, root{Name: path})
	}
	return roots
}

// load has the configured projects loaded and lists their files.
func (p *probe) load(ctx context.Context) error {
	if len(p.configs) > 0 {
		if _, err := tsserver[bool](ctx, p.session, "openExternalProject", p.configured()); err != nil {
			return err
		}
	}
	p.loaded, p.seen = map[string]project{}, map[string]bool{}
	for _, config := range p.configs {
		found, err := p.project(ctx, map[string]any{"projectFileName": config})
		if err != nil {
			return err
		}
		p.note(found)
	}
	return nil
}

// project is what tsserver says of a project.
type project struct {
	Config   string   `json:"configFileName"` // or the name of an external or inferred project
	Files    []string `json:"fileNames"`
	Disabled bool     `json:"languageServiceDisabled"`
}

// noFile stands for a file where the name of a project decides: tsserver must be given one, and of the URI of a
// document that is not open typescript-language-server logs an error, except in schemes that it leaves alone.
const noFile = "git:none"

// project asks about a project.
func (p *probe) project(ctx context.Context, of map[string]any) (project, error) {
	of["needFileNameList"] = true
	if of["file"] == nil {
		of["file"] = noFile
	}
	found, err := tsserver[project](ctx, p.session, "projectInfo", of)
	if err != nil {
		return found, err
	}
	if found.Disabled {
		return found, fmt.Errorf("tsserver does not serve %s: it is too large", p.session.Host.Relative(found.Config))
	}
	return found, nil
}

// note takes note of the files of a project.
func (p *probe) note(found project) {
	p.loaded[found.Config] = found
	for i, file := range found.Files {
		found.Files[i] = filepath.FromSlash(file)
		p.seen[found.Files[i]] = true
	}
}

// configured reports whether a configuration file makes the project: neither we nor tsserver have made it up.
func (p project) configured() bool { return filepath.Ext(p.Config) == ".json" }

// catchUp tells of what overtaken lists.
func (p *probe) catchUp(context.Context) error { return p.tell(p.overtaken()) }

// reload catches up, and lists the files again if there was something to tell.
func (p *probe) reload(ctx context.Context) error {
	changes := p.overtaken()
	if len(changes) == 0 {
		return nil
	}
	if err := p.tell(changes); err != nil {
		return err
	}
	return p.load(ctx)
}

func (p *probe) tell(changes []disk.Change) error {
	if len(changes) == 0 {
		return nil
	}
	return p.session.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, session.Watched(changes))
}

// overtaken lists what may have changed on the disk while tsserver was reading it: typescript-language-server drops news
// of files that tsserver has not asked it to watch yet.
func (p *probe) overtaken() []disk.Change {
	var changes []disk.Change
	add := func(path string, kind disk.Kind) {
		changes = append(changes, disk.Change{Path: path, Kind: kind})
	}
	for _, path := range slices.Concat(p.sources, p.configs) {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			add(path, disk.Deleted)
		case !info.ModTime().After(p.began):
		case p.seen[path]:
			add(path, disk.Changed)
		default:
			add(path, disk.Created)
		}
	}
	for path := range p.seen {
		if _, known := slices.BinarySearch(p.sources, path); !known && p.session.Language.Reads(path) {
			if _, err := os.Stat(path); err != nil {
				add(path, disk.Deleted)
			}
		}
	}
	return changes
}

// config returns the configuration file that tsserver looks at first for a source file; "" if there is none.
func (p *probe) config(path string) string { return p.nearest[filepath.Dir(path)] }

// try opens files that should belong to a project of a configuration file with another name, which a known one refers
// to: tsserver looks there for the project of an open file, and what is referred to stays loaded.
func (p *probe) try(ctx context.Context) error {
	tries := map[string]int{}
	for _, path := range p.sources {
		config := p.config(path)
		if p.seen[path] || config == "" || tries[config] >= maxTries || !p.says(config, `"references"`) {
			continue
		}
		if err := p.session.Open(path); err != nil {
			continue // gone
		}
		// Of an open document it takes the URI, too; about a path that is not open it logs an error.
		found, err := p.project(ctx, map[string]any{"file": text.URI(path)})
		if err != nil {
			return err
		}
		if !found.configured() {
			tries[config]++
			continue
		}
		p.note(found)
	}
	return nil
}

// says reports whether a configuration file, or one that it extends, has a word in it.
func (p *probe) says(config, word string) bool {
	for _, path := range append([]string{config}, p.loaded[config].Files...) {
		if filepath.Ext(path) != ".json" {
			continue
		}
		if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), word) {
			return true
		}
	}
	return false
}

// loose has tsserver load what no configuration covers, as one project for each package.
func (p *probe) loose(ctx context.Context) error {
	packages := map[string][]string{}
	p.extra = map[string]bool{}
	for _, path := range p.sources {
		if !p.seen[path] {
			dir := p.packageOf(filepath.Dir(path))
			packages[dir] = append(packages[dir], path)
			p.extra[path] = true
		}
	}
	var projects []external
	if len(p.configs) > 0 {
		projects = append(projects, p.configured())
	}
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		projects = append(projects, external{Name: filepath.Join(dir, "tidepool:loose"), Files: roots(packages[dir]), Options: looseOptions()})
	}
	if _, err := tsserver[bool](ctx, p.session, "openExternalProjects", map[string]any{"projects": projects}); err != nil {
		return err
	}
	for dir := range packages {
		found, err := p.project(ctx, map[string]any{"projectFileName": filepath.Join(dir, "tidepool:loose")})
		if err != nil {
			return err
		}
		p.note(found)
	}
	return nil
}

// looseOptions read anything that a bundler or Node does.
func looseOptions() map[string]any {
	return map[string]any{
		"allowJs": true, "target": "esnext", "module": "preserve", "moduleResolution": "bundler", "jsx": "preserve",
		"allowImportingTsExtensions": true, "resolveJsonModule": true, "experimentalDecorators": true, "noEmit": true,
	}
}

// packageOf returns the directory of the package.json at or above dir, within the folders.
func (p *probe) packageOf(dir string) string {
	folders := p.session.Folders()
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "package.json")); err == nil || slices.Contains(folders, at) || filepath.Dir(at) == at {
			return at
		}
	}
}
