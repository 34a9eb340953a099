package scout_test

import (
	"context"
	"fmt"

	"tidepool/scout"
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
	fmt.Print(answer.Text())
	// Output:
	// Adding a parameter to config.Load touches 1 place in 1 file: 1 call. Look first at main.go:20.
	//
	// config/load.go:12: config.Load: func Load() (*Config, error) {  [definition risk 3 relevance 5] change the signature here
	// main.go:20: main: cfg, err := config.Load()  [call risk 5 relevance 5] pass the new argument
	//
	// scorer heuristic, 2 of at most 30 places
}
