package quality

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tidepool/internal/recall/memory"
)

// A Dialogue is memories of one conversation between two people, and questions about it.
type Dialogue struct {
	Name      string
	People    [2]string
	Memories  []memory.Memory // without numbers, which a Store gives
	Questions []Question
}

// A Question is one that a dialogue answers.
type Question struct {
	Text     string
	Sessions []string // that have the answer
	Turns    []int    // the indexes of the memories that do
}

// Tuned reports whether constants are fitted on a dialogue.
func Tuned(name string) bool {
	return slices.Contains([]string{"conv-26", "conv-41", "conv-43", "conv-47", "conv-49"}, name)
}

// LoCoMo reads the ten dialogues of LoCoMo from REALTALK's directory data.
func LoCoMo(dir string) ([]Dialogue, error) {
	return dialogues(filepath.Join(dir, "locomo"), readLoCoMo)
}

// RealTalk reads the ten dialogues of REALTALK from its directory data.
func RealTalk(dir string) ([]Dialogue, error) { return dialogues(dir, readRealTalk) }

func dialogues(dir string, read func(name string, data []byte) (Dialogue, error)) ([]Dialogue, error) {
	names, err := filepath.Glob(filepath.Join(dir, "Chat_*.json"))
	if err != nil {
		return nil, err
	}
	if len(names) != 10 {
		return nil, fmt.Errorf("%s has %d dialogues, not ten: it must be the directory data of github.com/danny911kr/REALTALK", dir, len(names))
	}
	var all []Dialogue
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		d, err := read(filepath.Base(name), data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, d)
	}
	return all, nil
}

// A turn is what both sets write of one. Either has a text.
type turn struct {
	Speaker   string `json:"speaker"`
	Name      string `json:"dia_id"`
	Text      string `json:"text"`
	CleanText string `json:"clean_text"`
	Caption   any    `json:"blip_caption"` // a text, or one for each photo
}

type question struct {
	Question string   `json:"question"`
	Evidence []string `json:"evidence"`
	Category any      `json:"category"`
}

func readLoCoMo(_ string, data []byte) (Dialogue, error) {
	var file struct {
		Name         string                     `json:"sample_id"`
		Conversation map[string]json.RawMessage `json:"conversation"`
		Questions    []question                 `json:"qa"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return Dialogue{}, err
	}
	d := Dialogue{Name: file.Name}
	for i, key := range []string{"speaker_a", "speaker_b"} {
		if err := json.Unmarshal(file.Conversation[key], &d.People[i]); err != nil {
			return d, err
		}
	}
	places, err := d.addSessions(file.Conversation, "3:04 pm on 2 January, 2006")
	if err != nil {
		return d, err
	}
	d.addQuestions(slices.DeleteFunc(file.Questions, func(q question) bool { return q.Category == 5. }), places)
	return d, nil
}

func readRealTalk(name string, data []byte) (Dialogue, error) {
	var sessions map[string]json.RawMessage
	var people struct {
		First  string `json:"speaker_1"`
		Second string `json:"speaker_2"`
	}
	var questions []question
	if err := json.Unmarshal(data, &sessions); err != nil {
		return Dialogue{}, err
	}
	if err := json.Unmarshal(sessions["name"], &people); err != nil {
		return Dialogue{}, err
	}
	if err := json.Unmarshal(sessions["qa"], &questions); err != nil {
		return Dialogue{}, err
	}
	d := Dialogue{Name: name, People: [2]string{firstName(people.First), firstName(people.Second)}}
	places, err := d.addSessions(sessions, "02.01.2006, 15:04:05")
	if err != nil {
		return d, err
	}
	d.addQuestions(questions, places)
	return d, nil
}

// firstName returns the first word of a name, with a capital: questions call people so.
func firstName(name string) string {
	first, _, _ := strings.Cut(name, " ")
	return strings.ToUpper(first[:1]) + first[1:]
}

// addSessions adds the turns of each session, and returns where the turn of each name is.
func (d *Dialogue) addSessions(of map[string]json.RawMessage, layout string) (map[string]int, error) {
	places := map[string]int{}
	for n := 1; ; n++ {
		data, ok := of[fmt.Sprintf("session_%d", n)]
		if !ok {
			return places, nil
		}
		var turns []turn
		if err := json.Unmarshal(data, &turns); err != nil {
			return nil, err
		}
		var moment string
		if err := json.Unmarshal(of[fmt.Sprintf("session_%d_date_time", n)], &moment); err != nil {
			return nil, err
		}
		at, err := time.Parse(layout, moment)
		if err != nil {
			return nil, err
		}
		for i, t := range turns {
			places[t.Name] = len(d.Memories)
			d.Memories = append(d.Memories, memory.Memory{
				Project: memory.Project{Key: d.Name, Name: d.Name}, Scope: memory.ForProject, Kind: memory.Note, Trust: memory.Saved,
				Content: t.content(), Session: fmt.Sprintf("%s/%d", d.Name, n), Turn: i, Alpha: 1, Beta: 1, Created: at, Updated: at,
			})
		}
	}
}

func (t turn) content() string {
	text := t.Speaker + ": " + t.Text + t.CleanText
	switch caption := t.Caption.(type) {
	case string:
		text += " (photo: " + caption + ")"
	case []any:
		for _, one := range caption {
			text += fmt.Sprintf(" (photo: %v)", one)
		}
	}
	return text
}

// addQuestions adds questions with the sessions of the turns that they name.
func (d *Dialogue) addQuestions(questions []question, places map[string]int) {
	name := regexp.MustCompile(`D\d+:\d+`)
	for _, asked := range questions {
		q := Question{Text: asked.Question}
		for _, text := range asked.Evidence {
			for _, id := range name.FindAllString(text, -1) {
				at, ok := places[id]
				if !ok {
					continue
				}
				q.Turns = append(q.Turns, at)
				if session := d.Memories[at].Session; !slices.Contains(q.Sessions, session) {
					q.Sessions = append(q.Sessions, session)
				}
			}
		}
		if len(q.Sessions) > 0 {
			d.Questions = append(d.Questions, q)
		}
	}
}
