import { added, createCard, moved, Stage } from "../src";
import { Card } from "../src/model/card";
import { following } from "../src/model/column";
import { empty, findCard, reduce } from "../src/model/reduce";

function sample(over: Partial<Card>): Card {
  return { id: "x", title: "X", priority: "low", labels: [], due: null, ...over };
}

test("moves cards", () => {
  const start = reduce(empty, added(createCard("a", "A"), Stage.Backlog));
  const end = reduce(start, moved("a", Stage.Doing));
  expect(end.columns[1].cards.length).toBe(1);
  expect(findCard(end, "a").title).toBe("A");
});

test("sorts by priority", () => {
  const cards = [sample({ id: "a" }), sample({ id: "b", priority: "urgent" })];
  const state = cards.reduce((s, c) => reduce(s, added(c, Stage.Done)), empty);
  expect(state.columns[2].cards.map((c) => c.id)).toEqual(["b", "a"]);
});

test("ends with done", () => {
  expect(following(Stage.Done)).toBe(null);
});
