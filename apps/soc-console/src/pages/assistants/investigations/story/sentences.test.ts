import { expect, it } from "vitest";
import { readSentences } from "./sentences.ts";

const finding = (over: Partial<Parameters<typeof readSentences>[0][number]>) => ({
  statement: "The parent was winword.exe.",
  evidence_ids: ["a"],
  claims: [],
  is_supported: true,
  unsupported: [],
  ...over,
});

it("numbers each event by its first mention", () => {
  const [first, second] = readSentences([
    finding({ evidence_ids: ["a", "b"] }),
    finding({ evidence_ids: ["c", "b", "b"] }),
  ]);
  expect(first?.citations.map(({ number }) => number)).toEqual([1, 2]);
  expect(second?.citations.map(({ number }) => number)).toEqual([3, 2]);
});

it("marks a sentence without an event as unsupported, whatever the service claims", () => {
  expect(readSentences([finding({ evidence_ids: [] })])[0]?.state).toBe("not_shown");
  expect(readSentences([finding({ is_supported: false, unsupported: ["cites no event"] })])[0]).toMatchObject({
    state: "not_shown",
    reasons: ["cites no event"],
  });
});

it("shows an unknown event id at its mark, not as a reason", () => {
  const [sentence] = readSentences([
    finding({ evidence_ids: ["a", "b"], is_supported: false, unsupported: ["event b does not exist"] }),
  ]);
  expect(sentence).toMatchObject({ state: "not_shown", reasons: [] });
  expect(sentence?.citations.map(({ isMissing }) => isMissing)).toEqual([false, true]);
});

it("marks a sentence as refuted when its event has another value", () => {
  const claims = [
    { log_id: "a", field: "host", value: "ws-7" },
    { log_id: "a", field: "user", value: 'lay"la' },
  ];
  const unsupported = ['event a has no user "lay"la"', 'no cited event contains "10.0.0.9"'];
  expect(readSentences([finding({ claims, is_supported: false, unsupported })])[0]).toMatchObject({
    state: "refuted",
    claims: [{ isRefuted: false }, { isRefuted: true }],
    reasons: ['no cited event contains "10.0.0.9"'],
  });
});

it("is not misled by a value that contains the text of another reason", () => {
  const claims = [{ log_id: "a", field: "user", value: "x" }];
  const unsupported = ['no cited event contains "event a has no user "x""'];
  expect(readSentences([finding({ claims, is_supported: false, unsupported })])[0]?.state).toBe("not_shown");
});
