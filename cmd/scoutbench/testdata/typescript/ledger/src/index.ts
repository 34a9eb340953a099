export { Account, AccountKind } from "./account";
export type { LedgerEvent, Posted, Reversed } from "./event";
export { Ledger } from "./ledger";
export type { LedgerOptions } from "./ledger";
export * from "./money";
export { convert, firstOf, tableRates } from "./rates";
export { MemoryStore, ObservedStore } from "./store";
export { routes } from "./http/routes";
