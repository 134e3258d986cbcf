import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import type { BrokerMessage } from "../../ports/broker.ts";
import type { AnswerOutcome } from "../attestation/attestation-requests.ts";
import { createInbox } from "./inbox.ts";

const DEVICE = "01920000-0000-7000-8000-000000000001";
const OTHER = "01920000-0000-7000-8000-000000000002";

function message(kind: string, body: unknown, { device = DEVICE, qos = 1 }: { device?: string; qos?: 0 | 1 | 2 } = {}) {
  const payload = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return { topic: `devices/${device}/attestation/${kind}`, payload, qos } satisfies BrokerMessage;
}

/** Creates an inbox whose answers block until they are released. */
function start(answer: () => Promise<AnswerOutcome> = async () => "judged") {
  const clock = createFakeClock();
  const settled: string[] = [];
  const inbox = createInbox({
    requests: {
      confirm: async (device_id, request_id) => {
        settled.push(`receipt ${device_id} ${request_id}`);
        return true;
      },
      answer: async (device_id) => {
        const outcome = await answer();
        settled.push(`answer ${device_id}`);
        return outcome;
      },
    },
    clock,
    log: silentLog,
  });
  return { clock, inbox, settled };
}

describe("relay inbox", () => {
  it("settles receipts and answers for the device of the topic", async () => {
    const { inbox, settled } = start();
    await inbox.take(message("receipt", { request_id: "r-1" }));
    await inbox.take(message("answer", { request_id: "r-1" }, { device: OTHER }));
    expect(settled).toEqual([`receipt ${DEVICE} r-1`, `answer ${OTHER}`]);
    expect(inbox.dropped()).toEqual({});
  });

  it.each<[string, BrokerMessage, string]>([
    ["another topic", message("request", {}), "foreign_topic"],
    ["a device that is none", message("answer", {}, { device: "soc-relay-1" }), "foreign_topic"],
    ["QoS 0", message("answer", {}, { qos: 0 }), "unacknowledged"],
    ["a long receipt", message("receipt", { request_id: "x".repeat(1000) }), "oversized"],
    ["a long answer", message("answer", "x".repeat(65_537)), "oversized"],
    ["no JSON", message("answer", "{"), "malformed"],
    ["a receipt for nothing", message("receipt", { request_id: 7 }), "malformed"],
  ])("drops %s", async (_, received, reason) => {
    const { inbox, settled } = start();
    await inbox.take(received);
    expect(settled).toEqual([]);
    expect(inbox.dropped()).toEqual({ [reason]: 1 });
  });

  it("keeps a message unacknowledged until the database is available again", async () => {
    let isDown = true;
    const { inbox, settled, clock } = start(async () => {
      if (isDown) throw new Problem("unavailable", "the database is unavailable");
      return "judged";
    });
    let isTaken = false;
    const taking = inbox.take(message("answer", {})).then(() => {
      isTaken = true;
    });
    await clock.advance(20_000);
    expect([isTaken, inbox.size()]).toEqual([false, 1]);
    isDown = false;
    await clock.advance(1000);
    await taking;
    expect(settled).toEqual([`answer ${DEVICE}`]);
    expect([inbox.size(), inbox.dropped()]).toEqual([0, {}]);
  });

  it("drops a message after a minute without the database, or at once after another failure", async () => {
    const { inbox, clock } = start(() => Promise.reject(new Problem("unavailable", "the database is unavailable")));
    const taking = inbox.take(message("answer", {}));
    for (let second = 0; second < 60; second += 1) await clock.advance(1000);
    await taking;
    expect(inbox.dropped()).toEqual({ failed: 1 });
    const failing = start(() => Promise.reject(new Error("a mistake of ours")));
    await failing.inbox.take(message("answer", {}));
    expect(failing.inbox.dropped()).toEqual({ failed: 1 });
  });

  it("processes at most four messages of a device concurrently, without delaying other devices", async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { inbox, settled } = start(async () => {
      await held;
      return "judged";
    });
    const taking = Array.from({ length: 6 }, () => inbox.take(message("answer", {})));
    taking.push(inbox.take(message("answer", {}, { device: OTHER })));
    expect(inbox.size()).toBe(5);
    letGo();
    await Promise.all(taking);
    expect(settled).toHaveLength(5);
    expect(inbox.dropped()).toEqual({ too_many: 2 });
  });

  it("accepts at most 40 messages of a device per minute", async () => {
    const { inbox, settled, clock } = start();
    for (let sent = 0; sent < 50; sent += 1) await inbox.take(message("answer", {}));
    expect(settled).toHaveLength(40);
    await inbox.take(message("answer", {}, { device: OTHER }));
    await clock.advance(60_000);
    await inbox.take(message("answer", {}));
    expect(settled).toHaveLength(42);
    expect(inbox.dropped()).toEqual({ too_many: 10 });
  });
});
