package main

import (
	"errors"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"tidepool/controlserver/internal/command"
	"tidepool/internal/wording"
)

// misread returns the error for a command line that could not be understood, with the command or flag that a misspelt one may mean.
// kong names some itself, of another measure: two exchanged letters are two mistakes to it.
func misread(err error) error {
	wrong := &command.UsageError{Err: err}
	parse, ok := errors.AsType[*kong.ParseError](err)
	if !ok || parse.Context == nil {
		return wrong
	}
	node := parse.Context.Selected()
	if node == nil {
		node = parse.Context.Model.Node
	} else {
		wrong.Of = node.FullPath()
	}
	match := regexp.MustCompile(`^(unexpected argument|unknown flag) (\S+?)(, did you mean .*)?$`).FindStringSubmatch(parse.Error())
	if match == nil {
		return wrong
	}
	wrong.Err = errors.New(match[1] + " " + match[2])
	candidates, before := commandsOf(node), node.FullPath()+" "
	if match[1] == "unknown flag" {
		candidates = flagsOf(node)
	}
	if near := wording.Nearest(match[2], candidates, 1); len(near) > 0 {
		wrong.Near = before + near[0]
	}
	return wrong
}

// commandsOf returns the commands below a node.
func commandsOf(node *kong.Node) []string {
	var names []string
	for _, child := range node.Children {
		if !child.Hidden && child.Type == kong.CommandNode {
			names = append(append(names, child.Name), child.Aliases...)
		}
	}
	return names
}

// flagsOf returns the flags that a node takes.
func flagsOf(node *kong.Node) []string {
	var names []string
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			names = append(names, "--"+strings.TrimPrefix(flag.Name, "--"))
		}
	}
	return names
}
