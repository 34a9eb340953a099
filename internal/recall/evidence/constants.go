package evidence

// Constants are what ranking and floor count with.
type Constants struct {
	// BM25 of a memory, and of a session as one text: how soon a word that is repeated counts no more, and how much length takes away.
	K1, B               float64
	SessionK1, SessionB float64

	// What a memory inherits from the memory before and after it in its session, and from those that are two away.
	Next, Second float64

	// What the parts of a score count, each from 0 to about 1.
	Neighbours float64 // the memory with what it inherits
	Best       float64 // the two best memories of its session
	Session    float64 // its session
	Pairs      float64 // neighbouring pairs of words
	Pieces     float64 // pieces of four letters
	Named      float64 // it is said by whom the prompt names
	Dated      float64 // it is of a month that the prompt names

	// Cosine is what the cosine of the vectors of memory and prompt counts, where a model makes some. It is 0 because nobody has measured what
	// a model adds: cmd/train/recall -embedder MODEL does.
	Cosine float64

	// The floor: z is the sum of these times what they are named for, as Evidence has it.
	Cover, Chance, Pair, Words, Whole, Store float64
	Identifier                               float64 // not fitted: nobody names an identifier in the dialogues
	Offset                                   float64
	Bar                                      float64 // z of a memory that may be told
	Strong                                   float64 // z of a memory of another project, and of any when much has been told

	Rarest float64 // −ln of the least share of sentences that a word can have
	Prior  float64 // of how many memories the general words count when a word's share of the memories is estimated
}

// Fitted returns the constants in use.
//
//	go run ./cmd/train/recall DIR
//
// fits the floor on five dialogues of LoCoMo and on half of this repository's known items, with the ranking as it is, and prints what that
// gives on these, on the five other dialogues, on REALTALK and on the other half. With -rank it tries other constants of the ranking first:
// those in use are within the standard error, 0.015, of the best that it finds. Strong is chosen: it asks for four times the odds of Bar.
func Fitted() Constants {
	return Constants{
		K1: .9, B: .4, SessionK1: 1.2, SessionB: .5, Next: .3, Second: .15,
		Neighbours: 1, Best: 1, Session: .5, Pairs: .5, Pieces: .5, Named: .25, Dated: .5,
		Cover: 2.88, Chance: .261, Pair: .063, Words: .21, Whole: 8.77, Store: -.14, Identifier: 1.5, Offset: -3.60, Bar: .53, Strong: 1.9,
		Rarest: 9, Prior: 300,
	}
}
