export * as ast from "./ast";
export { check } from "./check";
export { evaluate, scopeOf } from "./evaluate";
export { register, type Definition } from "./functions";
export { parse } from "./parser";
export { print as stringify } from "./print";
export { render, type Problem } from "./problem";
export { Sheet } from "./sheet";
