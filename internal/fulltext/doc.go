// Package fulltext finds documents by the words of their fields, and ranks them by BM25F.
//
// It keeps postings and no text. It knows nothing about what a document is: a caller gives it a number and the texts of its
// fields, and gets numbers back.
//
// # Words
//
// [Words] cuts text into terms. Prose becomes words in lower case, without marks (Réglage is reglage), as stems (retries and
// retry are one term), without stop words and single characters. An identifier is a term as a whole and by its parts:
// parseHTTPHeader, max_retry, header_parser.go. In scripts without spaces each pair of neighbouring characters is a term.
// A query is cut in the same way, so a whole is found by its parts and a part in its wholes.
//
// # Rank
//
// The score of a document is the sum, over the terms of the query, of
//
//	idf(t) · w/(k1+w),   w = Σ over fields f of Weight[f] · count(t, f) / (1 − b + b · length(f)/average length(f)),   b = Length[f]
//	idf(t) = ln(1 + (N − n + ½)/(n + ½)),   for n of N documents with t
//
// which is the simple BM25F of Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section
// 3.6: the fields are added before the saturation, so that a word in two fields does not count as two words.
//
// # Postings
//
// New documents go to a mutable part of at most 4,096. It is then frozen into a segment: a sorted dictionary and postings as
// varints, never changed again. Eight small segments are merged into one. A deleted document keeps its postings until a fifth
// of its segment is deleted; then the segment is built anew. Counts that the score needs are always those of the living.
// Dictionaries and postings of segments are outside of the heap.
package fulltext
