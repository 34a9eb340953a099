package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A draftCase is a case without its truth: a line of testdata/typescript/questions.jsonl.
type draftCase struct {
	ID       string `json:"id"`
	Module   string `json:"module"` // directory below testdata
	Kind     string `json:"kind"`
	Sub      string `json:"subkind"`
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Decl     where  `json:"decl"`
	Question string `json:"question"`
	Mutation []swap `json:"mutation"`
	// Then is what takes the place of the name where a module imports it, when the compiler has complained of that: a new
	// name, "" for nothing at all; null: imports stay.
	Then    *string  `json:"then"`
	Neutral []string `json:"neutral"` // besides the declaration itself
}

// where is a text that occurs once in a file; the last mention of the case's name in it declares that.
type where struct {
	File string `json:"file"`
	In   string `json:"in"`
}

// A swap puts one text in the place of another, which occurs once in the file.
type swap struct {
	File string `json:"file"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// A madeCase is a testCase with what is known of its making.
type madeCase struct {
	testCase
	Sub      string       `json:"subkind"`
	Truth    []madeBroken `json:"truth"`
	Mutation []madeEdit   `json:"mutation"`
}

// A madeBroken is a broken place as the compiler has put it.
type madeBroken struct {
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Symbol string   `json:"enclosing_symbol"`
	Core   bool     `json:"core"`
	Accept []string `json:"accept,omitempty"`
	Gain   int      `json:"gain"`            // 3 core, 2 core in a test, 1 other
	Round  int      `json:"round,omitempty"` // 1: at once; 2, 3: once imports had followed
	Test   bool     `json:"test,omitempty"`
	Msg    string   `json:"msg"`
}

// A madeEdit is one of the mutation, by byte offset in the file as it is.
type madeEdit struct {
	File string `json:"file"`
	Off  int    `json:"off"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// makeTypeScript gives every question of testdata/typescript its truth, from tsc over an edited copy, and writes
// testdata/typescript.jsonl.
func (b *bench) makeTypeScript(ctx context.Context, testdata string) error {
	lines, err := os.ReadFile(filepath.Join(testdata, "typescript", "questions.jsonl"))
	if err != nil {
		return err
	}
	var made strings.Builder
	encoder := json.NewEncoder(&made)
	encoder.SetEscapeHTML(false)
	for line := range strings.Lines(string(lines)) {
		var q draftCase
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			return err
		}
		c, err := b.makeCase(ctx, testdata, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		if err := encoder.Encode(c); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(testdata, "typescript.jsonl"), []byte(made.String()), 0o644)
}

// makeCase edits a copy of the project and reads what the compiler says.
func (b *bench) makeCase(ctx context.Context, testdata string, q draftCase) (madeCase, error) {
	source := filepath.Join(testdata, q.Module)
	copied, err := os.MkdirTemp(b.temp, "truth")
	if err != nil {
		return madeCase{}, err
	}
	defer os.RemoveAll(copied)
	if err := os.CopyFS(copied, os.DirFS(source)); err != nil {
		return madeCase{}, err
	}
	c := madeCase{Sub: q.Sub, testCase: testCase{ID: q.ID, Module: q.Module, Kind: q.Kind, Symbol: q.Symbol, Name: q.Name, Question: q.Question}}
	if c.Decl, err = q.declared(source); err != nil {
		return c, err
	}
	known := newUnits(source)
	c.Neutral = append([]string{known.at(c.Decl.File, c.Decl.Line)}, q.Neutral...)
	for _, s := range q.Mutation {
		edit, err := s.apply(copied)
		if err != nil {
			return c, err
		}
		c.Mutation = append(c.Mutation, edit)
	}
	if c.Truth, err = b.broken(ctx, copied, source, q); err == nil && len(c.Truth) == 0 {
		err = errors.New("nothing breaks")
	}
	return c, err
}

func (q draftCase) declared(root string) (position, error) {
	text, err := os.ReadFile(filepath.Join(root, q.Decl.File))
	if err != nil {
		return position{}, err
	}
	before, after, _ := strings.Cut(string(text), q.Decl.In)
	if after == "" || strings.Contains(after, q.Decl.In) {
		return position{}, fmt.Errorf("%s has %q not exactly once", q.Decl.File, q.Decl.In)
	}
	before += q.Decl.In
	before = before[:strings.LastIndex(before, q.Name)]
	line := strings.Count(before, "\n") + 1
	return position{File: q.Decl.File, Line: line, Col: len(before) - strings.LastIndex(before, "\n")}, nil
}

// apply makes the edit in a directory. Texts keep their lines where the edit adds none before them.
func (s swap) apply(dir string) (madeEdit, error) {
	path := filepath.Join(dir, s.File)
	text, err := os.ReadFile(path)
	if err != nil {
		return madeEdit{}, err
	}
	if n := strings.Count(string(text), s.Old); n != 1 {
		return madeEdit{}, fmt.Errorf("%s has %q %d times", s.File, s.Old, n)
	}
	at := strings.Index(string(text), s.Old)
	made := madeEdit{File: s.File, Off: at, Old: s.Old, New: s.New}
	return made, os.WriteFile(path, []byte(string(text[:at])+s.New+string(text[at+len(s.Old):])), 0o600)
}

// maxTruthRounds bounds how far imports of imports are followed.
const maxTruthRounds = 4

// broken compiles the copy until no import complains any more, and places each error where the source has it.
func (b *bench) broken(ctx context.Context, copied, source string, q draftCase) ([]madeBroken, error) {
	known := newUnits(source)
	var all []madeBroken
	for round := 1; round <= maxTruthRounds; round++ {
		found, err := b.compile(ctx, copied)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			if e.line, err = originalLine(source, copied, e); err != nil {
				return nil, err
			}
			if place := e.breaks(known, q.Kind, round); !slices.ContainsFunc(all, place.same) {
				all = append(all, place)
			}
		}
		if q.Then == nil {
			break
		}
		if followed, err := follow(copied, found, q.Name, *q.Then); err != nil || !followed {
			return sortedBroken(all), err
		}
	}
	return sortedBroken(all), nil
}

func sortedBroken(all []madeBroken) []madeBroken {
	slices.SortStableFunc(all, func(a, b madeBroken) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all
}

func (b madeBroken) same(other madeBroken) bool {
	return b.File == other.File && b.Line == other.Line
}

// breaks returns the place of an error, whose line is that of the source.
func (e complaint) breaks(known *units, kind string, round int) madeBroken {
	_, symbol, _ := strings.Cut(known.at(e.file, e.line), "#")
	place := madeBroken{
		File: e.file, Line: e.line, Symbol: symbol, Core: !e.follows(kind), Gain: 3, Round: round,
		Test: isTestFile(e.file), Msg: e.message,
	}
	switch {
	case !place.Core:
		place.Gain = 1
	case place.Test:
		place.Gain = 2
	}
	return place
}

// A complaint is an error of the compiler.
type complaint struct {
	file         string
	line, column int
	code         string
	message      string
}

var complaintText = regexp.MustCompile(`(?m)^(\S[^(]*)\((\d+),(\d+)\): error (TS\d+): (.*)$`)

func (b *bench) compile(ctx context.Context, dir string) ([]complaint, error) {
	tsc := exec.CommandContext(ctx, filepath.Join(b.bin, "servers", "node_modules", ".bin", "tsc"), "--noEmit", "--pretty", "false")
	tsc.Dir = dir
	out, err := tsc.Output()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return nil, err
	}
	var all []complaint
	for _, m := range complaintText.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		all = append(all, complaint{m[1], line, column, m[4], m[5]})
	}
	if err != nil && len(all) == 0 {
		return nil, fmt.Errorf("tsc: %w\n%s", err, out)
	}
	return all, nil
}

// follows reports whether an error goes away with that of another place: a value is handed on whose type no longer
// implements what it should, or indexes a table that lacks an entry.
func (e complaint) follows(kind string) bool {
	handed := e.code == "TS2345" && !strings.HasPrefix(e.message, "Argument of type '{")
	return e.code == "TS7053" || handed && (kind == "a" || kind == "b")
}

// missingExport reports whether an import names what the module does not export.
func (e complaint) missingExport() bool {
	return slices.Contains([]string{"TS2305", "TS2724", "TS2459", "TS2614"}, e.code)
}

// originalLine finds the line of an error in the file before the edits: as many lines from its end or its beginning.
func originalLine(source, copied string, e complaint) (int, error) {
	before, err := os.ReadFile(filepath.Join(source, e.file))
	if err != nil {
		return 0, err
	}
	after, err := os.ReadFile(filepath.Join(copied, e.file))
	if err != nil {
		return 0, err
	}
	old, now := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	if e.line <= len(old) && e.line <= len(now) && old[e.line-1] == now[e.line-1] && slices.Equal(old[:e.line-1], now[:e.line-1]) {
		return e.line, nil
	}
	line := e.line + len(old) - len(now)
	if line < 1 || line > len(old) || now[e.line-1] != old[line-1] {
		return min(e.line, len(old)), nil // within the edit
	}
	return line, nil
}

// follow replaces the name where imports complain of it, and says whether any did.
func follow(dir string, found []complaint, name, by string) (bool, error) {
	followed := false
	for _, e := range found {
		if !e.missingExport() {
			continue
		}
		path := filepath.Join(dir, e.file)
		text, err := os.ReadFile(path)
		if err != nil {
			return false, err
		}
		lines := strings.Split(string(text), "\n")
		line := replaceImported(lines[e.line-1], name, by)
		if line == lines[e.line-1] {
			continue
		}
		followed, lines[e.line-1] = true, line
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			return false, err
		}
	}
	return followed, nil
}

// replaceImported gives what a line imports another name, or leaves it out if there is none.
func replaceImported(line, name, by string) string {
	at := regexp.MustCompile(`\b(type )?` + name + `\b( as \w+)?,? ?`).FindStringIndex(line)
	switch {
	case at == nil:
		return line
	case by == "":
		return line[:at[0]] + line[at[1]:]
	}
	return line[:at[0]] + strings.Replace(line[at[0]:at[1]], name, by, 1) + line[at[1]:]
}

func isTestFile(path string) bool {
	return strings.HasPrefix(path, "test/") || strings.HasPrefix(path, "spec/")
}
