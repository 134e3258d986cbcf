import { expect, onTestFinished, test } from "vitest";
import { createLive } from "./live.ts";

const NAME = "manara-soc-live";

function setHidden(isHidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Another tab reads the stream and shares it. */
async function leadElsewhere(): Promise<(message: object) => void> {
  const channel = new BroadcastChannel(NAME);
  const leaving = new AbortController();
  await new Promise<void>((resolve) => {
    void navigator.locks.request(NAME, () => {
      resolve();
      return new Promise<void>((release) => leaving.signal.addEventListener("abort", () => release()));
    });
  });
  onTestFinished(() => {
    leaving.abort();
    channel.close();
    Reflect.deleteProperty(document, "hidden");
  });
  return (message) => channel.postMessage(message);
}

const EVENT = { type: "alert.created", subject_id: "a-1", data: {} };

test("delivers the events of another tab, and one reset for all that happened while the tab was hidden", async () => {
  const share = await leadElsewhere();
  const live = createLive();
  const received: string[] = [];
  live.listen({
    onEvents: (events) => received.push(...events.map(({ type }) => type)),
    onReset: () => received.push("reset"),
  });
  live.start();
  onTestFinished(live.end);
  share({ kind: "events", events: [EVENT] });
  await expect.poll(() => received).toEqual(["alert.created"]);
  setHidden(true);
  share({ kind: "events", events: [EVENT] });
  share({ kind: "events", events: [EVENT] });
  share({ kind: "state", state: "connecting" });
  await expect.poll(() => live.readState()).toBe("connecting");
  expect(received).toEqual(["alert.created"]);
  setHidden(false);
  expect(received).toEqual(["alert.created", "reset"]);
  setHidden(true);
  setHidden(false);
  expect(received).toEqual(["alert.created", "reset"]);
});
