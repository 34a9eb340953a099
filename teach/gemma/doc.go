// Package gemma selects what belongs to a topic with FunctionGemma, a small
// model that does nothing but call functions, through Ollama.
//
// The model is asked about one symbol at a time and answers by calling
// select_symbols with some of the candidates. Names that are no candidates are
// dropped. An answer that has only such names is no answer, and neither is one
// that is no clear call: then nothing is selected, and the plan says so. That
// nothing belongs to the topic is an answer.
package gemma
