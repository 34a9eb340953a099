package code

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tidepool/internal/sample"
	"tidepool/lsp"
	"tidepool/lsp/lsptest"
	"tidepool/tools"
	"tidepool/tools/internal/query"
	"tidepool/tools/internal/toolstest"
	"tidepool/tools/lang"
)

// A member is a project of one language in a directory of a monorepo.
type member struct {
	*sample.Project
	dir  string // below the root; "": the root
	file string // whose declarations are asked about
}

func members(parts int) []member {
	return []member{
		{sample.TypeScript(parts), "", "core/src/hub.ts"},
		{sample.Go(parts), "services/till", "services/till/hub/hub.go"},
		{sample.Python(parts), "tools/report", "tools/report/sample/hub.py"},
		{sample.C(parts), "native", "native/include/hub.h"},
	}
}

// openMonorepo serves a Go module, a Python package and a C program inside a TypeScript monorepo.
func openMonorepo(t *testing.T, parts int) (*Toolset, []member) {
	t.Helper()
	root := t.TempDir()
	all := members(parts)
	for _, m := range all {
		if err := m.Write(filepath.Join(root, filepath.FromSlash(m.dir))); err != nil {
			t.Fatal(err)
		}
	}
	served := lsp.Languages()
	served = slices.DeleteFunc(served, func(l lsp.Language) bool {
		return !slices.ContainsFunc(all, func(m member) bool { return m.Language == l.ID })
	})
	for i := range served {
		served[i].Command[0] = lsptest.Program(t, served[i].Command[0])
	}
	project, err := lsp.Open(lsp.Options{Root: root, Languages: served, ReadyBudget: 5 * time.Minute, Env: coldEnvironment(t, t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { toolstest.Close(t, project) })
	return &Toolset{Project: project, Root: root, Memory: new(lang.Memory)}, all
}

// ask asks about one function of a member, by its file, and compares with what is known of it.
func (m member) ask(ctx context.Context, c *Toolset, name string) error {
	out, err := c.FindCallers(ctx, tools.Call{}, FindCallersInput{Name: m.file + ":" + name, MaxResults: 1000})
	if err != nil {
		return err
	}
	var got, want []string
	for _, s := range out.CallSites {
		got = append(got, siteAt(query.Relative(c.Root, s.File), s.Line))
	}
	for _, site := range padded(m.Callers[name]) {
		want = append(want, filepath.Join(m.dir, site))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || out.Completeness.State != lsp.Complete {
		return fmt.Errorf("%s: %s; %s: %s", name, out.Completeness.State, difference(strings.Join(got, " "), strings.Join(want, " ")), out.Text())
	}
	return nil
}

// askType asks about the fields of a type.
func (m member) askType(ctx context.Context, c *Toolset, name string) error {
	out, err := c.ShowFields(ctx, tools.Call{}, ShowFieldsInput{TypeName: m.file + ":" + name})
	if err != nil {
		return err
	}
	var got []string
	for _, f := range out.Fields {
		got = append(got, f.Name)
	}
	if !slices.Equal(got, m.Fields[name]) || out.Completeness.State != lsp.Complete {
		return fmt.Errorf("%s: %s; fields %v, want %v: %s", name, out.Completeness.State, got, m.Fields[name], out.Text())
	}
	return nil
}

// Many callers at once get right answers of all languages, and leave nothing behind.
func TestManyCallersOfManyLanguages(t *testing.T) {
	if err := zoo.Project.WaitReady(t.Context()); err != nil { // from here on its goroutines are known
		t.Fatal(err)
	}
	before := goleak.IgnoreCurrent()
	c, all := openMonorepo(t, 3*sample.Hubs)
	var asking sync.WaitGroup
	for caller := range 32 {
		asking.Go(func() {
			for n := range 8 {
				m := all[(caller+n)%len(all)]
				name, typ := m.Functions()[(caller+3*n)%sample.Hubs], m.Types()[(caller+n)%sample.Hubs]
				if err := errors.Join(m.ask(t.Context(), c, name), m.askType(t.Context(), c, typ)); err != nil {
					t.Errorf("%s: %v", m.Language, err)
				}
			}
		})
	}
	asking.Wait()
	status := c.Project.Status()
	toolstest.Close(t, c.Project)
	if len(status) != len(all) {
		t.Errorf("%d servers for %d languages", len(status), len(all))
	}
	for _, s := range status {
		if s.PID == 0 || syscall.Kill(s.PID, 0) == nil {
			t.Errorf("process of %s: %+v", s.Language, s)
		}
	}
	goleak.VerifyNone(t, before)
}

// A bare name that several languages declare is answered with all of them, spelled so that asking for one means one.
func TestNameOfManyLanguages(t *testing.T) {
	c, _ := openMonorepo(t, sample.Hubs)
	out, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: "mix03"})
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, candidate := range out.Candidates {
		files = append(files, query.Relative(c.Root, candidate.File))
		one, err := c.FindCallers(t.Context(), tools.Call{}, FindCallersInput{Name: candidate.Name, MaxResults: 50})
		if err != nil || one.DefinitionFile == nil || *one.DefinitionFile != candidate.File {
			t.Errorf("%s: %v, %s", candidate.Name, err, one.Text())
		}
	}
	if slices.Sort(files); !slices.Equal(files, []string{"core/src/hub.ts", "native/src/hub.c", "tools/report/sample/hub.py"}) {
		t.Errorf("candidates in %v: %s", files, out.Text())
	}
}
