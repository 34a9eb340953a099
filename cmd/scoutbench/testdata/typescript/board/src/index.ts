export { App } from "./app";
export type { Transport } from "./api/client";
export { MemoryTransport, offline, retrying } from "./api/memory";
export * from "./model/action";
export { newCard as createCard, type Card, type Priority } from "./model/card";
export { Stage } from "./model/column";
export { dark, light, type Theme } from "./view/theme";
