package analysis

import (
	"context"

	"tidepool/internal/golang/fact"
)

func ask[Answer any](ctx context.Context, c *Client, q question) (Answer, error) {
	var answer Answer
	err := c.ask(ctx, q, &answer)
	return answer, err
}

// Names lists the names by which a place may mean what is declared at a place: members of an enum-like type, types that implement an
// interface. The tree is the package of the place.
func (c *Client) Names(ctx context.Context, tree Tree, at fact.Place) ([]string, error) {
	return ask[[]string](ctx, c, question{op: OpNames, tree: tree, of: at})
}

// Enum returns the enum-like type that is declared at a place, or of which the constant at the place is a member.
func (c *Client) Enum(ctx context.Context, tree Tree, at fact.Place) (Enum, error) {
	return ask[Enum](ctx, c, question{op: OpEnum, tree: tree, of: at})
}

// Interface returns the type that is declared at a place.
func (c *Client) Interface(ctx context.Context, tree Tree, at fact.Place) (Interface, error) {
	return ask[Interface](ctx, c, question{op: OpInterface, tree: tree, of: at})
}

// Uses returns where the function is used that is declared at a place.
func (c *Client) Uses(ctx context.Context, tree Tree, at fact.Place) (Uses, error) {
	return ask[Uses](ctx, c, question{op: OpUses, tree: tree, of: at})
}

// Tests returns which tests may run the function that is declared at a place.
func (c *Client) Tests(ctx context.Context, tree Tree, at fact.Place) (Tests, error) {
	return ask[Tests](ctx, c, question{op: OpTests, tree: tree, of: at})
}

// TestFunctions returns the functions of tests, in the order of their names; nil for a test that is not known.
func (c *Client) TestFunctions(ctx context.Context, tree Tree, tests []TestName) ([]*fact.Function, error) {
	return ask[[]*fact.Function](ctx, c, question{op: OpTestFunctions, tree: tree, of: tests})
}

// Selections lists the selectors that pass the embedded field at a place, or come to it.
func (c *Client) Selections(ctx context.Context, tree Tree, field fact.Place) ([]fact.Selection, error) {
	return ask[[]fact.Selection](ctx, c, question{op: OpSelections, tree: tree, of: field})
}

// About returns what types tell of the names at places, in their order.
func (c *Client) About(ctx context.Context, tree Tree, places []fact.Place) ([]About, error) {
	return ask[[]About](ctx, c, question{op: OpAbout, tree: tree, of: places})
}

// Used returns what the function or variable at a place uses, or the type there.
func (c *Client) Used(ctx context.Context, tree Tree, at fact.Place) (Used, error) {
	return ask[Used](ctx, c, question{op: OpUsed, tree: tree, of: at})
}

// OtherPlatformUses looks for names in those files that the system we run on does not build.
func (c *Client) OtherPlatformUses(ctx context.Context, tree Tree, s Search) (Found, error) {
	return ask[Found](ctx, c, question{op: OpOtherPlatformUses, tree: tree, of: s})
}

// Try makes edits, and returns what becomes of packages on other systems. Once ctx has ended, what was not looked at is left out.
func (c *Client) Try(ctx context.Context, tree Tree, a Attempt) (fact.Trial, error) {
	return ask[fact.Trial](ctx, c, question{op: OpTry, tree: tree, of: a, partial: true})
}
