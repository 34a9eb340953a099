export type Value = number | string | boolean;

export type ValueType = "number" | "string" | "boolean";

export function typeOf(value: Value): ValueType {
  return typeof value as ValueType;
}

export function toNumber(value: Value): number {
  if (typeof value === "string") {
    return parseFloat(value);
  }
  return Number(value);
}

export const zero: { readonly [T in ValueType]: Value } = { number: 0, string: "", boolean: false };
