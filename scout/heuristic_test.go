package scout_test

import (
	"slices"
	"testing"

	"tidepool/scout"
	"tidepool/scout/scouttest"
)

func TestHeuristic(t *testing.T) { scouttest.TestScorer(t, scout.Heuristic{}) }

func TestHeuristicPrefersTheRolesOfTheChange(t *testing.T) {
	for _, tt := range []struct {
		kind         scout.ChangeKind
		better, less scout.Role
	}{
		{scout.AddParameter, scout.RoleCall, scout.RoleTypeUse},
		{scout.AddParameter, scout.RoleImplementation, scout.RoleConversion},
		{scout.AddMethod, scout.RoleImplementation, scout.RoleCall},
		{scout.RemoveField, scout.RoleFieldUse, scout.RoleTypeUse},
		{scout.AddVariant, scout.RoleSwitch, scout.RoleTypeUse},
		{scout.AddVariant, scout.RoleTable, scout.RoleMember},
		{scout.AddImplementation, scout.RoleTypeSwitch, scout.RoleImplementation},
		{scout.ReturnError, scout.RoleCall, scout.RoleTest},
		{scout.Delete, scout.RoleReference, scout.RoleImport},
		{scout.Other, scout.RoleCall, scout.RoleImport},
	} {
		edges := []scout.Edge{{Role: tt.better}, {Role: tt.less}}
		scores, err := scout.Heuristic{}.Score(t.Context(), scouttest.Query(tt.kind), edges)
		if err != nil {
			t.Fatal(err)
		}
		if scores[0].Rubric.Relevance <= scores[1].Rubric.Relevance {
			t.Errorf("%s: %s has relevance %d, %s has %d", tt.kind,
				tt.better, scores[0].Rubric.Relevance, tt.less, scores[1].Rubric.Relevance)
		}
	}
}

func TestTagsFollowFromRoles(t *testing.T) {
	in := scout.Node{Name: "walk", Path: "a.go", Line: 3}
	for _, tt := range []struct {
		name string
		kind scout.ChangeKind
		edge scout.Edge
		want []scout.Tag
	}{
		{"switch", scout.AddVariant, scout.Edge{Role: scout.RoleSwitch},
			[]scout.Tag{scout.TagExhaustive, scout.TagPatternMatch, scout.TagBreaksOnAdd}},
		{"switch, nothing added", scout.Rename, scout.Edge{Role: scout.RoleSwitch},
			[]scout.Tag{scout.TagExhaustive, scout.TagPatternMatch}},
		{"import", scout.AddMethod, scout.Edge{Role: scout.RoleImport}, []scout.Tag{scout.TagImport}},
		{"recursion", scout.ReturnError, scout.Edge{Role: scout.RoleCall, From: in, Into: in, Depth: 1},
			[]scout.Tag{scout.TagRecursive}},
		{"unknown role", scout.Other, scout.Edge{Role: "odd"}, []scout.Tag{}},
	} {
		if got := scout.TagsOf(tt.kind, tt.edge); got == nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: TagsOf = %#v, want %v", tt.name, got, tt.want)
		}
	}
}
