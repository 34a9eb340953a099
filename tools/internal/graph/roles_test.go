package graph

import (
	"testing"

	"tidepool/lsp"
	"tidepool/scout"
	"tidepool/tools/internal/query"
)

func TestRoleOf(t *testing.T) {
	tests := []struct {
		use  query.Use
		kind lsp.Kind
		want scout.Role
	}{
		{query.Use{Kind: "call", Called: true}, lsp.KindFunction, scout.RoleCall},
		{query.Use{Kind: "call", Called: true, Test: true}, lsp.KindMethod, scout.RoleTest},
		{query.Use{Kind: "call", Called: true}, lsp.KindClass, scout.RoleLiteral},
		{query.Use{Kind: "new", Called: true}, lsp.KindClass, scout.RoleLiteral},
		{query.Use{Kind: "value", Taken: true}, lsp.KindFunction, scout.RoleMethodValue},
		{query.Use{Kind: "value", Taken: true}, lsp.KindProperty, scout.RoleFieldUse},
		{query.Use{Kind: "value", Taken: true}, lsp.KindVariable, scout.RoleReference},
		{query.Use{Kind: "value", Taken: true}, lsp.KindClass, scout.RoleReference},
		{query.Use{Kind: "type"}, lsp.KindInterface, scout.RoleTypeUse},
		{query.Use{Kind: "write"}, lsp.KindField, scout.RoleFieldUse},
		{query.Use{Kind: "base"}, lsp.KindClass, scout.RoleEmbedding},
		{query.Use{Kind: "implements"}, lsp.KindInterface, scout.RoleImplementation},
		{query.Use{Kind: "case"}, lsp.KindEnumMember, scout.RoleSwitch},
		{query.Use{Kind: "case"}, lsp.KindClass, scout.RoleTypeSwitch},
		{query.Use{Kind: "key"}, lsp.KindEnumMember, scout.RoleTable},
		{query.Use{Kind: "assertion"}, lsp.KindClass, scout.RoleAssertion},
		{query.Use{Kind: "cast"}, lsp.KindClass, scout.RoleConversion},
		{query.Use{Kind: "import"}, lsp.KindClass, scout.RoleImport},
		{query.Use{Kind: "export"}, lsp.KindFunction, scout.RoleReExport},
		{query.Use{Kind: query.Unknown}, lsp.KindStruct, scout.RoleReference},
		{query.Use{Kind: query.Unknown}, lsp.KindField, scout.RoleReference},
		{query.Use{Kind: "declaration"}, lsp.KindFunction, scout.RoleDefinition},
	}
	for _, tt := range tests {
		if got := roleOf(tt.use, tt.kind); got != tt.want {
			t.Errorf("%+v of a %s is %q, want %q", tt.use, tt.kind, got, tt.want)
		}
	}
}
