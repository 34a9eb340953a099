import { children, Expression } from "./ast";
import { lookup } from "./functions";
import { Problem } from "./problem";
import { typeOf, ValueType } from "./value";

export function check(node: Expression): Problem[] {
  const problems: Problem[] = children(node).flatMap((child) => check(child));
  if (node.kind === "call" && !lookup(node.callee)) {
    problems.push({ severity: "error", message: `no function ${node.callee}`, at: node.at });
  }
  if (node.kind === "binary" && node.operator === "/" && isZero(node.right)) {
    problems.push({ severity: "warning", message: "division by zero", at: node.at });
  }
  return problems;
}

function isZero(node: Expression): boolean {
  return node.kind === "number" && node.value === 0;
}

/** The type that an expression has whatever its cells hold. */
export function typeOfExpression(node: Expression): ValueType | undefined {
  switch (node.kind) {
    case "number":
    case "text":
      return typeOf(node.value);
    case "binary":
      return node.operator === "&" ? "string" : node.operator === "=" || node.operator === "<" ? "boolean" : "number";
    case "call":
      return lookup(node.callee)?.result;
    default:
      return undefined;
  }
}
