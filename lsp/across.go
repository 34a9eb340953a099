package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"tidepool/internal/wording"
	"tidepool/lsp/internal/text"
)

// acrossLimit is how many mentions of a name in one root are looked at for one that means what is asked about.
const acrossLimit = 32

// across aims at the same thing from each of the other roots that may use it: servers of languages with Depends answer
// from the root of the file asked about alone. What keeps it from doing so is what the answer lacks. unnamed says that
// a root may hold what is asked for without mentioning the name. done must be called on each target.
func (v *View) across(ctx context.Context, to target, unnamed bool) []target {
	has := v.tree.Of(to.server.Language)
	if has.Language.Depends == nil || len(has.Roots) < 2 || has.Root(to.path) == "" {
		return nil
	}
	declared, err := v.declared(ctx, to)
	if err != nil || declared == (Location{}) {
		v.lacks(fmt.Sprintf("where %s is declared is not known, and other modules may use it", to.name))
		return nil
	}
	home := has.Root(declared.Path)
	var targets []target
	for _, root := range has.Roots {
		if root == has.Root(to.path) || home == "" || root != home && !has.Language.Depends(root, home) {
			continue
		}
		found, err := v.mentionIn(ctx, has.In(root), to.name, declared)
		switch {
		case err == nil:
			found.origin = declared
			targets = append(targets, found)
		case unnamed || !errors.Is(err, errNoMention):
			v.lacks(fmt.Sprintf("%s may hold more: %v", v.tree.Relative(root), err))
		}
	}
	return targets
}

// declared returns where what a target names is declared.
func (v *View) declared(ctx context.Context, to target) (Location, error) {
	params := &protocol.DefinitionParams{TextDocumentPositionParams: to.place}
	found, err := v.places(ctx, to, protocol.MethodTextDocumentDefinition, params)
	if err != nil || len(found) == 0 {
		return Location{}, err
	}
	return found[0], nil
}

var (
	errNoMention = errors.New("it does not mention the name")
	errMentions  = fmt.Errorf("none of the first %d mentions of the name means it", acrossLimit)
)

// mentionIn aims at the first mention of a name in these files that means what is declared there.
func (v *View) mentionIn(ctx context.Context, files []string, name string, declared Location) (target, error) {
	left := acrossLimit
	for _, path := range files {
		content := text.NewFiles(&v.project.workspace.NonASCII).Of(path)
		for offset := range text.EachWord(content.Content, name) {
			if left--; left < 0 {
				return target{}, errMentions
			}
			to, err := v.aim(ctx, Location{Path: path, Range: Range{Start: content.At(offset)}})
			if err != nil {
				return target{}, err
			}
			if at, err := v.declared(ctx, to); err == nil && at.Path == declared.Path && at.Range.Start == declared.Range.Start {
				return to, nil
			}
			to.done()
		}
	}
	return target{}, errNoMention
}

// everywhere asks the same of a target and of all that mean the same in other roots. It lists each location once.
func (v *View) everywhere(ctx context.Context, at Location, unnamed bool, ask func(target) ([]Location, error)) ([]Location, error) {
	to, err := v.aim(ctx, at)
	if err != nil {
		return nil, err
	}
	defer to.done()
	all, err := ask(to)
	if err != nil {
		return nil, err
	}
	for _, other := range v.across(ctx, to, unnamed) {
		defer other.done()
		found, err := ask(other)
		if err != nil {
			v.lacks(wording.OneLine(err.Error()))
		}
		all = slices.Concat(all, slices.DeleteFunc(found, func(at Location) bool { return slices.Contains(all, at) }))
	}
	return all, nil
}
