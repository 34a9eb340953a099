package catalogue

import (
	"embed"
	"net/http"
	"path"
)

//go:embed guide
var guide embed.FS

// Guide returns when a program that calls tools is better than calls one by one, and how it is written.
func Guide() string {
	text, err := guide.ReadFile("guide/guide.md")
	if err != nil { // it is linked into the program
		return err.Error()
	}
	return string(text)
}

// Programs returns the names of the guide's programs.
func Programs() []string {
	entries, err := guide.ReadDir("guide")
	if err != nil { // it is linked into the program
		return nil
	}
	var names []string
	for _, e := range entries {
		if path.Ext(e.Name()) != ".md" {
			names = append(names, e.Name())
		}
	}
	return names
}

// Program returns the text of a program that the guide names.
func Program(name string) (string, error) {
	text, err := guide.ReadFile("guide/" + path.Base(name))
	if err != nil || path.Ext(name) == ".md" {
		return "", &StatusError{http.StatusNotFound, "the guide has no program of this name: GET /guide names them"}
	}
	return string(text), nil
}

// program answers GET /guide/NAME.
func program(w http.ResponseWriter, r *http.Request) {
	text, err := Program(r.PathValue("name"))
	answer(w, plainText, []byte(text), err)
}
