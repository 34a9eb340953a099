package teach

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/sync/errgroup"

	"tidepool/internal/wording"
	"tidepool/lsp"
	"tidepool/teach"
	"tidepool/tools/internal/query"
)

// Limits of a declaration and its documentation, in runes.
const (
	maxSignature = 400
	maxDocument  = 2000
)

// A description is what the document says about one unit.
type description struct {
	symbol    lsp.Symbol
	signature string // in one line
	doc       string // "" if there is none
	does      Behaviour
	doubt     string // why the documentation is not known; "": the server answered
}

// describe returns the signature and the documentation of each unit of a plan, in its order.
func (c *codeSource) describe(ctx context.Context, plan *teach.Plan) ([]description, error) {
	all := make([]description, len(plan.Units))
	group, asking := errgroup.WithContext(ctx)
	group.SetLimit(query.Concurrent)
	for i, u := range plan.Units {
		group.Go(func() (err error) {
			all[i], err = c.describeOne(asking, c.symbols[u.ID])
			return err
		})
	}
	err := group.Wait()
	for _, made := range all {
		c.Doubt(made.doubt)
	}
	return all, err
}

func (c *codeSource) describeOne(ctx context.Context, s lsp.Symbol) (description, error) {
	made := description{symbol: s}
	hover, err := c.View.Hover(ctx, s.Location)
	switch {
	case ctx.Err() != nil:
		return description{}, context.Cause(ctx)
	case err != nil:
		made.doubt = fmt.Sprintf("the documentation of %s is not known: %v", query.Dotted(s), err)
	}
	extent, ok, err := c.extent(ctx, s.Location)
	if err != nil {
		return description{}, err
	}
	text, err := c.open(s.Location.Path)
	if err != nil {
		return description{}, err
	}
	known := c.Languages(s.Language)
	shown, doc := readHover(hover)
	made.signature, made.doc = shown, c.commentAbove(s.Location)
	if ok {
		made.doc = c.commentAbove(lsp.Location{Path: s.Location.Path, Range: extent.Range})
		made.signature, made.does = headOf(text, extent), behaviourOf(text, extent)
		if known.Signature != nil {
			made.signature = known.Signature(s, made.signature, shown)
		}
	}
	if made.doc == "" && !known.Undocumented {
		made.doc = doc
	}
	made.signature, made.doc = wording.Clip(made.signature, maxSignature), wording.Clip(made.doc, maxDocument)
	return made, nil
}

var (
	fence = regexp.MustCompile("(?s)```[a-z]*\n(.*?)\n?```")
	// kindPrefix matches what servers put before a signature: (method), (alias).
	kindPrefix = regexp.MustCompile(`^\((?:[a-z]+ ?)+\) `)
)

// readHover splits the text of a hover: it returns the first block of code in one line, and the prose behind it.
func readHover(hover string) (signature, doc string) {
	at := fence.FindStringSubmatchIndex(hover)
	if at == nil {
		return "", ""
	}
	signature = strings.Join(strings.Fields(hover[at[2]:at[3]]), " ")
	doc = strings.Trim(hover[at[1]:], "\n -")
	doc, _, _ = strings.Cut(doc, "\n---")
	if strings.HasPrefix(doc, "```") || strings.HasPrefix(doc, "[`") {
		doc = "" // more code, or gopls' link to the documentation
	}
	signature = strings.NewReplacer("( ", "(", " )", ")").Replace(kindPrefix.ReplaceAllString(signature, ""))
	return signature, strings.TrimSpace(doc)
}

// commentAbove returns the comment that ends above the line of a place; "" if there is none.
func (c *codeSource) commentAbove(at lsp.Location) string {
	f, err := c.Source(at.Path)
	if err != nil {
		return ""
	}
	var lines []string
	inside := false // a block comment, which is read from its end
	for n := at.Range.Start.Line - 1; n > 0; n-- {
		line := strings.TrimSpace(f.Line(n))
		switch {
		case inside:
			inside = !strings.HasPrefix(line, "/*")
		case strings.HasPrefix(line, "//"):
		case strings.HasSuffix(line, "*/"):
			inside = !strings.HasPrefix(line, "/*")
		default:
			n = 0
			continue
		}
		lines = append([]string{strings.Trim(strings.TrimSuffix(line, "*/"), "/*! \t")}, lines...)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
