import { describe, expect, it } from "vitest";
import { createConfigDraft } from "./config-draft.ts";

describe("changes of the configuration", () => {
  function drafted(isTaken: boolean) {
    const tasks: (() => void)[] = [];
    const sent: unknown[] = [];
    const draft = createConfigDraft({
      send: (request) => {
        sent.push(request);
        return Promise.resolve(isTaken);
      },
      after: (_, task) => {
        tasks.push(task);
        return () => undefined;
      },
    });
    const answer = () => new Promise<void>((resolve) => setImmediate(resolve));
    const pass = () => {
      for (const task of tasks.splice(0)) task();
    };
    return { draft, sent, answer, pass };
  }

  it("changes of the configuration are shown at once and sent in one request per gap", async () => {
    const { draft, sent, answer, pass } = drafted(true);
    draft.change({ method: 1 });
    draft.change({ method: 2 });
    draft.change({ asr_hanafi: true });
    expect(draft.pending.value).toEqual({ method: 2, asr_hanafi: true });
    expect(sent).toEqual([{ method: 1 }]);
    await answer();
    pass();
    expect(sent).toEqual([{ method: 1 }, { method: 2, asr_hanafi: true }]);
    await answer();
    pass();
    expect(draft.pending.value).toEqual({});
  });

  it("changes of the configuration are reverted when the device refuses", async () => {
    const { draft, answer } = drafted(false);
    draft.change({ method: 1 });
    await answer();
    expect(draft.pending.value).toEqual({});
  });
});
