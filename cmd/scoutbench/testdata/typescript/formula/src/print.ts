import { Expression, visit, Visitor } from "./ast";

const printer: Visitor<string> = {
  number: (node) => String(node.value),
  text: (node) => `"${node.value}"`,
  cell: (node) => node.name,
  binary: (node) => `(${print(node.left)} ${node.operator} ${print(node.right)})`,
  call: (node) => `${node.callee}(${node.args.map(print).join(", ")})`,
};

export function print(expression: Expression): string {
  return visit(expression, printer);
}
