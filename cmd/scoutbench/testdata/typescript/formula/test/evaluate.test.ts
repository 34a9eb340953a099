import { evaluate, parse, scopeOf, stringify } from "../src";
import { Scope } from "../src/evaluate";
import { register } from "../src/functions";

const lenient: Scope = { strict: false, cell: () => undefined };

test("computes", () => {
  expect(evaluate(parse("1 + 2 * 3"), lenient)).toBe(7);
  expect(evaluate(parse("sum(1, a)"), scopeOf({ a: 2 }))).toBe(3);
});

test("prints with brackets", () => {
  expect(stringify(parse("1+2*3"))).toBe("(1 + (2 * 3))");
});

test("takes functions of others", () => {
  register({ name: "twice", result: "number", run: ([x]) => Number(x) * 2 });
  expect(evaluate(parse("twice(4)"), lenient)).toBe(8);
});
