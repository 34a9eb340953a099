package ollama

// controlText matches what Gemma's tokenizer, or Ollama before it, reads as
// something else than text: turn and function marks, <escape>, padding, and the
// place of an image.
var controlText = pattern(
	`(?i)(<)((?:escape|bos|eos|pad|unk|mask|(?:start|end)_of_\w+|(?:start|end)_function_\w+|unused\d+|\w+_soft_token)>)` +
		`|(\[)((?:img(?:-\d+)?|multimodal)\])`)

// Neutral returns text with every control token broken by a blank, so that it
// reaches a model as the letters it is made of: nothing is escaped on the way.
// Nothing is removed, so that no token can grow together.
func Neutral(text string) string {
	return controlText().ReplaceAllString(text, "$1$3 $2$4")
}
