import { ast, render, Sheet } from "../src";
import { scan } from "../src/scanner";
import { FormulaError } from "../src/problem";
import { Cell, SheetListener } from "../src/sheet";
import { TokenKind } from "../src/token";

class Recorder implements SheetListener {
  readonly names: string[] = [];

  changed(cell: Cell): void {
    this.names.push(cell.name);
  }
}

test("tells listeners", () => {
  const sheet = new Sheet();
  const recorder = new Recorder();
  sheet.listen(recorder);
  sheet.listen({ changed: () => {}, failed: (p) => expect(render(p)).toBe("1:1: error: unexpected the end") });
  sheet.assign("a", 1);
  expect(sheet.set("b", "a / 0").map(render)).toEqual(["1:3: warning: division by zero"]);
  expect(recorder.names).toEqual(["a", "b"]);
});

test("scans", () => {
  expect(scan("a + 1").map((t) => t.kind)).toEqual([TokenKind.Name, TokenKind.Operator, TokenKind.Number, TokenKind.End]);
  expect(new FormulaError("x", { line: 1, column: 2 }).where()).toBe("1:2");
});

test("knows children", () => {
  const one: ast.Expression = { kind: "number", value: 1, at: { line: 1, column: 1 } };
  expect(ast.children(one).length).toBe(0);
});
