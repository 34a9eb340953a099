// Package gemma scores the edges of a scout walk with FunctionGemma, a small
// model that does nothing but call functions, through Ollama.
//
// The model is asked about one edge at a time, because it has no room for more,
// and answers by calling rate_edge with four numbers from 1 to 5 and a reason.
// Tags are not asked for: they follow from the edge's role.
//
// An edge is asked about once as long as the client remembers the answer: the
// same edge in the same words, and in the same code, has the same answer.
//
// An answer that is no clear call of rate_edge leaves its edge unscored. A
// number outside 1 to 5 does so too, and is not moved to the nearest limit:
// Ollama reads "2024-01-01" as 2024 and "50%" as 50, so such a number is not a
// strong opinion, but no answer. One within the limits is believed, though the
// model may have written "3 of 4": nothing that reaches a client tells.
package gemma
