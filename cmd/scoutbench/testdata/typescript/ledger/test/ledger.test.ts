import { AccountKind } from "../src/account";
import { describe, isFinancial, LedgerEvent } from "../src/event";
import { routes } from "../src/http/routes";
import { money } from "../src/money";
import { frozenStore, MemoryStore, ObservedStore } from "../src/store";
import { BrokenStore, ledgerOver } from "./fakes";

test("transfers and reverses", async () => {
  const heard: LedgerEvent[] = [];
  const ledger = ledgerOver(new ObservedStore(new MemoryStore(), (e) => heard.push(e)));
  const cash = ledger.open("cash", AccountKind.Asset);
  ledger.open("sales", AccountKind.Income);
  const posted = await ledger.transfer("cash", "sales", money(500, "EUR"));
  expect(cash.balance.amount).toBe(500);
  await ledger.reverse(posted.entryId, "typo");
  expect(cash.balance.amount).toBe(0);
  expect(heard.map(describe)).toEqual(["cash to sales", "reversed: typo"]);
});

test("counts what is financial", () => {
  const events: LedgerEvent[] = [
    { type: "annotated", entryId: "e1", note: "hm", at: 1 },
    { type: "reversed", entryId: "e1", reason: "typo", at: 2 },
  ];
  expect(events.filter(isFinancial).length).toBe(1);
});

test("says that the store is broken", async () => {
  const store = new BrokenStore();
  const reply = await routes(ledgerOver(store), store)["GET /accounts"]({ path: ["accounts", "x"], body: {} });
  expect(reply.status).toBe(404);
});

test("keeps a frozen store as it is", async () => {
  const store = frozenStore([]);
  expect(store.size).toBe(0);
  expect((await store.load("e1")).length).toBe(0);
});
