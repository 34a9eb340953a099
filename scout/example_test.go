package scout_test

import (
	"context"
	"fmt"

	"tidepool/scout"
	"tidepool/scout/render"
	"tidepool/scout/scouttest"
)

func ExampleWalk() {
	g := new(scouttest.Graph)
	load := scout.Node{Name: "config.Load", Kind: "function", Path: "config/load.go", Line: 12, Text: "func Load() (*Config, error) {"}
	g.Name("config.Load", load)
	g.Link(load, scout.Edge{
		To:        scout.Node{Name: "Load", Path: "main.go", Line: 20, Column: 16},
		Role:      scout.RoleCall,
		Enclosing: "main",
		Snippet:   "\tcfg, err := config.Load()",
	})
	answer, err := scout.Walk(context.Background(), g, scout.Heuristic{}, scout.Query{
		Text:   "What breaks if config.Load takes a path?",
		Change: scout.Change{Kind: scout.AddParameter},
	}, scout.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(render.Text(answer))
	// Output:
	// Adding a parameter to config.Load (config/load.go:12) touches 1 call.
	//
	// pass the new argument:
	// main.go:20 main
}
