package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"tidepool/internal/ask"
	"tidepool/protocol"
)

// A form is the input form of one question.
type form struct {
	question protocol.Question
	since    time.Time // when it was shown first
	huh      *huh.Form
	width    int // of the screen

	confirmed bool
	choice    string // an option's id, or ownWords
	words     string
}

// ownWords is the id of the option to write something else. No option of a question has an empty id.
const ownWords = ""

func newForm(q protocol.Question, width int) *form {
	f := &form{question: q, since: time.Now()}
	if len(q.Options) > 0 {
		f.choice = q.Options[0].ID
	}
	f.build(width)
	return f
}

// again returns the form with its input, after the answer was refused.
func (f *form) again(width int) *form {
	next := &form{question: f.question, since: time.Now(), confirmed: f.confirmed, choice: f.choice, words: f.words}
	next.build(width)
	return next
}

func (f *form) build(width int) {
	keys := huh.NewDefaultKeyMap()
	keys.Quit.SetEnabled(false)
	f.huh = huh.NewForm(f.groups()...).WithShowHelp(false).WithKeyMap(keys).WithTheme(huh.ThemeFunc(theme))
	f.resize(width)
}

// theme returns colours that can be read on black and on white: what is read is of the terminal's own colour, what matters less grey.
func theme(isDark bool) *huh.Styles {
	t := huh.ThemeBase16(isDark)
	less, own := lipgloss.Color(grey), lipgloss.NoColor{}
	for _, f := range []*huh.FieldStyles{&t.Focused, &t.Blurred} {
		f.Base = f.Base.BorderForeground(less)
		f.Card = f.Base
		f.Description = f.Description.Foreground(less)
		f.Option = f.Option.Foreground(own)
		f.UnselectedOption = f.UnselectedOption.Foreground(own)
		f.SelectedOption = f.SelectedOption.Foreground(own).Bold(true)
		f.SelectSelector = f.SelectSelector.Foreground(own).Bold(true)
		f.FocusedButton = f.FocusedButton.Foreground(own).Background(own).Reverse(true)
		f.BlurredButton = f.BlurredButton.Foreground(own).Background(own)
		f.TextInput.Text = f.TextInput.Text.Foreground(own)
		f.TextInput.Placeholder = f.TextInput.Placeholder.Foreground(less)
		f.TextInput.Prompt = f.TextInput.Prompt.Foreground(less)
		f.Title, f.NoteTitle = f.Title.Foreground(own), f.NoteTitle.Foreground(own)
	}
	for _, style := range []*lipgloss.Style{
		&t.Help.ShortKey, &t.Help.ShortDesc, &t.Help.ShortSeparator, &t.Help.FullKey, &t.Help.FullDesc, &t.Help.FullSeparator, &t.Help.Ellipsis,
	} {
		*style = style.Foreground(less)
	}
	return t
}

// maxHeight is more than the lines of any form: the screen is what bounds it.
const maxHeight = 1000

// resize fits the form to a width. A message of the size is what makes a huh.Form break its lines anew.
func (f *form) resize(width int) {
	f.width = width
	f.huh = f.huh.WithWidth(max(20, width-2))
	if next, _ := f.huh.Update(tea.WindowSizeMsg{Width: width, Height: maxHeight}); next != nil {
		f.huh, _ = next.(*huh.Form)
	}
}

func (f *form) groups() []*huh.Group {
	if f.question.Kind == protocol.ConfirmQuestion {
		yes, no := labels(f.question)
		return []*huh.Group{huh.NewGroup(huh.NewConfirm().Affirmative(yes).Negative(no).Value(&f.confirmed))}
	}
	words := huh.NewGroup(huh.NewText().Title("In your own words").Lines(3).ExternalEditor(false).Value(&f.words).Validate(filled))
	if len(f.question.Options) == 0 {
		return []*huh.Group{words}
	}
	var options []huh.Option[string]
	for _, o := range f.question.Options {
		options = append(options, huh.NewOption(o.Label, o.ID))
	}
	if f.question.Free {
		options = append(options, huh.NewOption("something else", ownWords))
	}
	choose := huh.NewSelect[string]().Options(options...).Value(&f.choice)
	return []*huh.Group{huh.NewGroup(choose), words.WithHideFunc(func() bool { return f.choice != ownWords })}
}

// labels returns the labels of yes and no.
func labels(q protocol.Question) (yes, no string) {
	yes, no = "Yes", "No"
	for _, o := range q.Options {
		switch o.ID {
		case ask.Yes:
			yes = o.Label
		case ask.No:
			no = o.Label
		}
	}
	return yes, no
}

func filled(text string) error {
	if strings.TrimSpace(text) == "" {
		return errEmpty{}
	}
	return nil
}

type errEmpty struct{}

func (errEmpty) Error() string { return "write something" }

func (f *form) init() tea.Cmd { return f.huh.Init() }

// update handles a message. The reply is not nil once the form is filled in.
func (f *form) update(msg tea.Msg) (tea.Cmd, *protocol.QuestionReply) {
	if f.huh.State != huh.StateNormal {
		return nil, nil // it has been sent
	}
	next, cmd := f.huh.Update(msg)
	if updated, is := next.(*huh.Form); is {
		f.huh = updated
	}
	if f.huh.State != huh.StateCompleted {
		return cmd, nil
	}
	return cmd, f.reply()
}

func (f *form) reply() *protocol.QuestionReply {
	switch {
	case f.question.Kind == protocol.ConfirmQuestion && f.confirmed:
		return &protocol.QuestionReply{Choice: ask.Yes}
	case f.question.Kind == protocol.ConfirmQuestion:
		return &protocol.QuestionReply{Choice: ask.No}
	case f.choice != ownWords:
		return &protocol.QuestionReply{Choice: f.choice}
	}
	return &protocol.QuestionReply{Text: f.words}
}

func (f *form) view() string {
	if f.huh.State != huh.StateNormal {
		return "sending…"
	}
	return strings.TrimRight(f.huh.View(), "\n") + "\n\n" + strings.Join(wrapped(f.help(), f.width, faint), "\n")
}

// help lists the keys that the form takes now.
func (f *form) help() string {
	var keys []string
	for _, binding := range f.huh.KeyBinds() {
		if help := binding.Help(); binding.Enabled() && help.Key != "" {
			keys = append(keys, help.Key+" "+help.Desc)
		}
	}
	return strings.Join(keys, " · ")
}
