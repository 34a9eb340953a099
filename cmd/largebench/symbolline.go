package main

import (
	"bytes"
	"regexp"
)

// linesSymbols returns the functions that stand at the left margin of a file of a language without a parser here.
func linesSymbols(language, path string, source []byte) []symbol {
	pattern, known := functionLines()[language]
	if !known {
		return nil
	}
	var symbols []symbol
	if language == "c" {
		source = withoutComments(source)
	}
	for _, at := range pattern.FindAllSubmatchIndex(source, -1) {
		begin, end := at[2], at[3]
		line := 1 + bytes.Count(source[:begin], []byte("\n"))
		column := begin - bytes.LastIndexByte(source[:begin], '\n')
		symbols = append(symbols, symbol{function, path, string(source[begin:end]), line, column})
	}
	return symbols
}

// withoutComments returns a source with spaces in the place of block comments, each character but the ends of lines: code that is commented
// out has no functions.
func withoutComments(source []byte) []byte {
	return regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllFunc(source, func(comment []byte) []byte {
		return regexp.MustCompile(`[^\n]`).ReplaceAll(comment, []byte(" "))
	})
}

// functionLines returns how a function begins in each language.
func functionLines() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"typescript": regexp.MustCompile(`(?m)^(?:export )?(?:default )?(?:async )?function (\w+)[<(]`),
		"python":     regexp.MustCompile(`(?m)^(?:async )?def (\w+)\(`),
		"c":          regexp.MustCompile(`(?m)^(?:[a-zA-Z_][\w *]*[ *])?([a-z_]\w*)\([^;{}()]*\)\s*\{`),
	}
}
