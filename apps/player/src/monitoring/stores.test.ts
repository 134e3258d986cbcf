import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../storage/database.ts";
import { createAttestationRequestsStore, MAX_KEPT_REQUESTS } from "./attestation/attestation-requests.store.ts";
import type { SecurityEvent } from "./security-event.ts";
import { createSecurityEventsStore, MAX_EVENTS } from "./security-events.store.ts";
import { createSentMessagesStore, MAX_SENT } from "./sent-messages.store.ts";

function open() {
  const folder = mkdtempSync(join(tmpdir(), "monitoring-"));
  const { database } = openDatabase(folder, createFakeClock());
  // Thousands of commits: these tests do not test the disk.
  database.command("PRAGMA synchronous = OFF")();
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  return database;
}

describe("the record of what was sent", () => {
  it("lists the newest first, in pages", () => {
    const store = createSentMessagesStore(open());
    for (let at = 1; at <= 120; at += 1) store.add({ at, kind: "receipt", bytes: at, content: `${at}` });
    const pages = [store.page()];
    while (pages.at(-1)?.next_cursor) pages.push(store.page(pages.at(-1)?.next_cursor ?? 0));
    expect(pages.map(({ items }) => items.length)).toEqual([50, 50, 20]);
    const listed = pages.flatMap(({ items }) => items.map(({ at }) => at));
    expect(listed).toEqual(Array.from({ length: 120 }, (_each, index) => 120 - index));
    expect(pages[0]?.removed).toEqual({ count: 0, until: null });
  });

  it("keeps the newest 500 and says until when older ones were removed", () => {
    const store = createSentMessagesStore(open());
    for (let at = 1; at <= MAX_SENT + 7; at += 1) store.add({ at, kind: "answer", bytes: 1, content: "x" });
    let count = 0;
    for (let page = store.page(); ; page = store.page(page.next_cursor)) {
      count += page.items.length;
      if (page.next_cursor === null) break;
    }
    expect(count).toBe(500);
    expect(store.page().removed).toEqual({ count: 7, until: 7 });
    expect(store.counts()).toEqual({ enrolment: 0, renewal: 0, receipt: 0, answer: 507, events: 0 });
  });

  it("shows what was delivered", () => {
    const store = createSentMessagesStore(open());
    store.add({ at: 1, kind: "events", bytes: 1, content: "x" });
    store.markDelivered(store.add({ at: 2, kind: "events", bytes: 1, content: "y" }));
    expect(store.page().items.map(({ delivered }) => delivered)).toEqual([true, false]);
  });
});

describe("the queue of events", () => {
  const toEvent = (at: number): SecurityEvent => ({ id: `${at}`, at, type: "reset", details: { at: `${at}` } });

  it("drops the oldest beyond 1,000 and counts them", () => {
    const store = createSecurityEventsStore(open());
    for (let at = 1; at <= MAX_EVENTS + 3; at += 1) store.add(toEvent(at));
    expect([MAX_EVENTS, store.count(), store.countDropped()]).toEqual([1000, 1000, 3]);
    expect(store.oldest(2)).toEqual([toEvent(4), toEvent(5)]);
  });

  it("removes what has arrived, and counts what will never be accepted", () => {
    const store = createSecurityEventsStore(open());
    for (const at of [1, 2, 3]) store.add(toEvent(at));
    store.remove([toEvent(1)]);
    store.drop([toEvent(2)], 9);
    expect(store.oldest(10)).toEqual([toEvent(3)]);
    expect(store.countDropped()).toBe(1);
  });
});

it("keeps the last 20 requests with their answers, and knows which are open", () => {
  const store = createAttestationRequestsStore(open());
  for (let at = 1; at <= MAX_KEPT_REQUESTS + 2; at += 1) {
    store.add({ request_id: `${at}`, nonce: "00", deadline: 100 + at });
  }
  store.keepAnswer("5", "signed");
  expect(store.find("2")).toBeUndefined();
  expect(store.find("5")).toEqual({ request_id: "5", nonce: "00", deadline: 105, answer: "signed" });
  expect(store.listOpen(119).map(({ request_id }) => request_id)).toEqual(["20", "21", "22"]);
  store.markDelivered("21");
  expect(store.listOpen(119).map(({ request_id }) => request_id)).toEqual(["20", "22"]);
});
