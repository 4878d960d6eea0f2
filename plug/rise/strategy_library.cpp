// SPDX-License-Identifier: MIT
// Strategies that users read and copy. A file that declares one of these names again has its own.
#include "strategy.h"

namespace mim::plug::rise {

std::string_view library_text() {
    return R"(
// ---- normal forms

// Each map is one step.
strategy RNF = DFNF ; normalize(mapLastFission) ; DFNF;
// No map is directly behind another one.
strategy CNF = DFNF ; normalize(mapFusion) ; DFNF;

// ---- questions

strategy isArray = if(idAfter ; liftId)(id)(fail);
strategy isVariable = not(isApply) ; not(isLambda);
strategy isView = isJoin <+ isSplit <+ isTranspose <+ isUnzip;
// Only views of a variable.
strategy isViewOfVariable = (isView ; argument(isViewOfVariable)) <+ isVariable;
// A map that has been chosen.
strategy isMapX = isMapSeq <+ isMapSeqUnroll <+ isMapPar <+ isMapVec <+ isMapGlobal <+ isMapWorkGroup <+ isMapLocal;

// ---- memory

// `id x`, element by element.
strategy copied = idToCopy ; try(function(body(copied)));
// A copy behind an array.
strategy copyAsSeq = isArray ; idAfter ; copied;
strategy copyAfter(kind: Strategy) = idAfter ; liftId ; kind;
strategy storeInMemory(what: Strategy, how: Strategy, a: AddrSp) = every(what)(how ; toMemAfter(a));

// ---- lowering

// A term whose result is written to memory: `kind` chooses how maps are done. A map that only changes the view stays, as do views.
strategy writing(kind: Strategy) =
  (isLambda ; body(writing(kind))) <+
  (isLet ; argument(reading(kind)) ; function(body(writing(kind)))) <+
  (isMap ; function(body(isViewOfVariable)) ; not(function(body(isVariable))) ; argument(writing(kind))) <+
  ((kind <+ isMapX) ; function(body(writing(kind))) ; argument(reading(kind))) <+
  ((isIterate <+ isScanSeq) ; inFold(writing(kind)) ; data(reading(kind))) <+
  ((isScatter <+ isOclRun) ; argument(writing(kind))) <+
  ((isView <+ isPair <+ isZip <+ isConcat <+ isSelect <+ isMakeArray) ; all(writing(kind))) <+
  (reading(kind) ; try(copyAsSeq));
// A term whose result is read: what a loop makes is stored first.
strategy reading(kind: Strategy) =
  ((isMapX <+ isIterate <+ isScanSeq <+ isScatter <+ isOclRun) ; writing(kind) ; toMemAfter(Global)) <+
  (isToMem ; argument(writing(kind))) <+
  ((toReduceSeq <+ isReduceX) ; data(reading(kind)) ; try(copyInit) ; inFold(writing(kind))) <+
  all(reading(kind));
strategy inFold(s: Strategy) = function(body(body(s)));
// All arguments that are no functions.
strategy data(s: Strategy) = all(isLambda <+ s);

// Copies where something is read that was not stored, or written that is only a view.
strategy addRequiredCopies = writing(fail);
strategy lowerToC = writing(toMapSeq);
strategy parallel = toMapPar `@` outermost(isMap);
strategy lowerToOpenMP = try(parallel) ; lowerToC;
// Fewer loops, and no choice that changes how numbers are rounded.
strategy default = DFNF ; normalize(fuseReduceMap <+ mapFusion) ; lowerToC;

// ---- loops

strategy loopInterchangeAtLevel(l: Nat) = applyN(l)(fmap)(loopInterchange);
// The innermost map by blocks of `w` lanes of a vector.
strategy vectorize(w: Nat) = innermost(isMap)(splitJoin(w) ; argument(function(body(toMapVec))));
// The rows of a nest of two maps in blocks of `x`, and its columns in blocks of `y`: loops over blocks are outside of those in blocks.
strategy tile(x: Nat, y: Nat) = splitJoin(x) ; argument(fmap(tileRows(y)));
strategy tileRows(y: Nat) = fmap(splitJoin(y)) ; mapLastFission ; argument(nestInterchange);
// Two maps, of which the inner one may go through what the outer one gives it.
strategy nestInterchange = loopInterchange <+ (try(mapFirstFission) ; createTransposePair ; argument(mapMapFBeforeTranspose));
// `s` at the nest of two maps in a block.
strategy inTile(s: Strategy) = argument(fmap(argument(argument(fmap(s)))));
// `transpose(x)` is stored in panels of `w` columns of x, each row after row.
strategy inPanels(w: Nat) = splitJoin2(w) ; argument(transposed ; argument(copyAfter(panels) ; toMemAfter(Global)));
strategy transposed = idAfter ; liftId ; function(body(removeId ; createTransposePair)) ; mapLastFission;
strategy panels = toMapPar ; function(body(liftId ; toMapSeq ; function(body(liftId ; toMapVec))));
// Reductions inside of a map become a reduction of arrays around it.
strategy reduceOutside = mapLastFission ; liftReduce;
)";
}

} // namespace mim::plug::rise
