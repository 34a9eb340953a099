import { BinaryNode, CallNode, CellNode, Expression, NumberNode, TextNode, visit, Visitor } from "./ast";
import { lookup } from "./functions";
import { FormulaError } from "./problem";
import { toNumber, Value } from "./value";

export interface Scope {
  cell(name: string): Value | undefined;
  readonly strict: boolean;
}

export class Evaluator implements Visitor<Value> {
  constructor(private readonly scope: Scope) {}

  number(node: NumberNode): Value {
    return node.value;
  }

  text(node: TextNode): Value {
    return node.value;
  }

  cell(node: CellNode): Value {
    const value = this.scope.cell(node.name);
    if (value === undefined && this.scope.strict) {
      throw new FormulaError(`no cell ${node.name}`, node.at);
    }
    return value ?? 0;
  }

  binary(node: BinaryNode): Value {
    const left = visit(node.left, this);
    const right = visit(node.right, this);
    switch (node.operator) {
      case "+":
        return toNumber(left) + toNumber(right);
      case "-":
        return toNumber(left) - toNumber(right);
      case "*":
        return toNumber(left) * toNumber(right);
      case "/":
        return toNumber(left) / toNumber(right);
      case "<":
        return toNumber(left) < toNumber(right);
      case "=":
        return left === right;
      case "&":
        return String(left) + String(right);
    }
  }

  call(node: CallNode): Value {
    const f = lookup(node.callee);
    if (!f) {
      throw new FormulaError(`no function ${node.callee}`, node.at);
    }
    return f.run(node.args.map((a) => visit(a, this)));
  }
}

export function scopeOf(cells: Record<string, Value>): Scope {
  return { cell: (name) => cells[name], strict: true };
}

export function evaluate(expression: Expression, scope: Scope): Value {
  return visit(expression, new Evaluator(scope));
}
