package worker

import (
	"context"
	"path/filepath"
	"slices"

	"tidepool/internal/golang/analysis"
	"tidepool/internal/golang/fact"
	"tidepool/internal/golang/packages"
)

func names(ctx context.Context, t *task, at fact.Place) (names []string, err error) {
	index, err := t.facts(ctx)
	if err != nil {
		return nil, err
	}
	if typ := index.Enum(at); typ != nil {
		for _, m := range typ.Members {
			names = append(names, m.Name)
		}
	}
	if wanted := index.Type(at); wanted != nil && wanted.Interface {
		for _, typ := range index.Types {
			if fact.Satisfies(typ.Methods, wanted.Methods) {
				names = append(names, typ.Name)
			}
		}
	}
	return names, nil
}

func enum(ctx context.Context, t *task, at fact.Place) (answer analysis.Enum, err error) {
	index, err := t.facts(ctx)
	if err != nil {
		return answer, err
	}
	if answer.Type = index.Enum(at); answer.Type == nil {
		return answer, nil
	}
	for _, s := range index.Switches {
		if s.Of == answer.Type.At {
			answer.Switches = append(answer.Switches, s)
		}
	}
	for _, fn := range index.Functions {
		if fn.Receiver == answer.Type.At {
			method := *fn
			method.Words = nil
			answer.Methods = append(answer.Methods, method)
		}
	}
	return answer, nil
}

func interfaceAt(ctx context.Context, t *task, at fact.Place) (answer analysis.Interface, err error) {
	index, err := t.facts(ctx)
	if err != nil {
		return answer, err
	}
	answer.Type = index.Type(at)
	if answer.Type == nil || !answer.Type.Interface || len(answer.Type.Methods) == 0 {
		return answer, nil
	}
	for _, s := range index.TypeSwitches {
		if len(s.Subject) > 0 && fact.Satisfies(answer.Type.Methods, s.Subject) || len(s.Subject) == 0 && tellsApart(index, s, answer.Type) {
			answer.Switches = append(answer.Switches, s)
		}
	}
	return answer, nil
}

// tellsApart reports whether a switch over values of any type lists several types that implement an interface.
func tellsApart(index *packages.Index, s fact.TypeSwitch, wanted *fact.Type) bool {
	listed := make(map[fact.Place]bool)
	for _, one := range s.Cases {
		if t := index.Type(one.Type); t != nil && !one.Interface && fact.Satisfies(t.Methods, wanted.Methods) {
			listed[one.Type] = true
		}
	}
	return len(listed) > 1
}

func uses(ctx context.Context, t *task, at fact.Place) (answer analysis.Uses, err error) {
	index, err := t.facts(ctx)
	if err != nil {
		return answer, err
	}
	fn := index.Function(at)
	if fn == nil {
		return answer, nil
	}
	answer.Function = bare(fn)
	callers := make(map[*fact.Function]int)
	for _, use := range index.Uses(at) {
		by, known := callers[use.By]
		if !known {
			by = len(answer.By)
			callers[use.By] = by
			answer.By = append(answer.By, analysis.Caller{Function: *bare(use.By), Prescribed: !fn.Fails && prescribed(index, use.By)})
		}
		answer.Uses = append(answer.Uses, analysis.UseBy{Use: *use.Use, By: by})
	}
	return answer, nil
}

// prescribed asks about a function only if nothing that is known of it already says whether it may return an error.
func prescribed(index *packages.Index, fn *fact.Function) bool {
	return !fn.Variable && !fn.Test && !fn.Fails && index.Prescribed(fn)
}

func tests(ctx context.Context, t *task, at fact.Place) (answer analysis.Tests, err error) {
	index, err := t.facts(ctx)
	if err != nil {
		return answer, err
	}
	fn := index.Function(at)
	if fn == nil {
		return answer, nil
	}
	answer.Function = bare(fn)
	for _, other := range index.Functions {
		if other.At.Path == at.Path && other.At.Line > at.Line && (answer.Until == 0 || other.At.Line < answer.Until) {
			answer.Until = other.At.Line
		}
	}
	answer.Tests = t.calls.Of(index).Tests(at, packages.WordsAt(t.files.Read(), at))
	for i := range answer.Tests {
		answer.Tests[i].Function = bare(answer.Tests[i].Function)
	}
	return answer, nil
}

func testFunctions(ctx context.Context, t *task, wanted []analysis.TestName) ([]*fact.Function, error) {
	index, err := t.facts(ctx)
	if err != nil {
		return nil, err
	}
	declared := make(map[analysis.TestName]*fact.Function)
	for _, fn := range index.Functions {
		if fn.Test && fn.Receiver == (fact.Place{}) {
			declared[analysis.TestName{Dir: filepath.Dir(fn.At.Path), Name: fn.Name}] = fn
		}
	}
	all := make([]*fact.Function, len(wanted))
	for i, name := range wanted {
		all[i] = bare(declared[name])
	}
	return all, nil
}

func selections(ctx context.Context, t *task, field fact.Place) (all []fact.Selection, err error) {
	index, err := t.facts(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range index.Selections(field) {
		all = append(all, *s)
	}
	return all, nil
}

func about(ctx context.Context, t *task, places []fact.Place) ([]analysis.About, error) {
	index, err := t.facts(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]analysis.About, len(places))
	for i, at := range places {
		all[i].ErrorUse = index.ErrorUse(at)
		if s := index.Selection(at); s != nil {
			all[i].Passes = s.Names
		}
	}
	return all, nil
}

func used(_ context.Context, t *task, at fact.Place) (answer analysis.Used, err error) {
	work := t.begin()
	facts := work.Facts(filepath.Dir(at.Path))
	work.End()
	if i := slices.IndexFunc(facts.Functions, func(fn fact.Function) bool { return fn.At == at }); i >= 0 {
		fn := facts.Functions[i]
		fn.Words = nil
		answer.Function = &fn
	} else if i := slices.IndexFunc(facts.Types, func(t fact.Type) bool { return t.At == at }); i >= 0 {
		answer.Type = &facts.Types[i]
	}
	return answer, nil
}

func otherPlatformUses(ctx context.Context, t *task, s analysis.Search) (answer analysis.Found, err error) {
	work := t.begin()
	defer work.End()
	near, apart := work.NearAny(s.Dirs, []string{filepath.Dir(s.For.Path)})
	answer.Seen = apart
	for _, dir := range near {
		if ctx.Err() != nil {
			return answer, context.Cause(ctx)
		}
		found, seen := work.OtherPlatformUses(dir, s.For)
		answer.Places, answer.Seen = append(answer.Places, found...), append(answer.Seen, seen...)
	}
	return answer, nil
}

func try(ctx context.Context, t *task, a analysis.Attempt) (fact.Trial, error) {
	work := t.begin()
	defer work.End()
	edited := make([]string, len(a.Edits))
	for i, e := range a.Edits {
		edited[i] = filepath.Dir(e.Path)
	}
	near, apart := work.NearAny(a.Dirs, edited)
	made, err := work.Try(ctx, near, a.Edits, a.Extent)
	if err != nil {
		return made, err
	}
	for _, path := range apart {
		made.Seen[path] = true
	}
	return made, nil
}
