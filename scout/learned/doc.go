// Package learned scores the edges of a scout walk by a small linear model.
//
// An edge becomes features: its role, the kind of change, how far it is from the
// symbol, whether it is test code, and the like. Each has a weight; their sum is
// how likely the place no longer compiles. The weights are trained by
//
//	make train-scorer
//
// on public modules, listed in train/modules.txt. The labels are a compiler's:
// each change is made in a draft of the module, and what the language server then
// refuses is what breaks. Kinds of change that compile, such as a variant more,
// have no such labels: their edges are scored as the heuristic scorer does.
//
// The scorer decides little where a compiler can be asked, because what that says
// stands in the answer anyway. It orders what is found where none can: in
// languages without drafts, in files of other platforms, in broken code.
package learned
