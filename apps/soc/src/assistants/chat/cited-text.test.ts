import { describe, expect, it } from "vitest";
import type { AnswerEvent } from "./chat-event.ts";
import { createCitedText } from "./cited-text.ts";

const ALERT = "0197f000-0000-7000-8000-0000000000a1";
const LOG = "0197f000-0000-7000-8000-0000000000b1";
const RESULT = { status: "completed", alert: { id: ALERT, title: "Odd", log_ids: [LOG], case_id: null } };

function speak(pieces: readonly string[], results: readonly unknown[] = [RESULT]) {
  const cited = createCitedText();
  for (const result of results) cited.learn(result);
  const events: AnswerEvent[] = [...pieces.flatMap((piece) => [...cited.add(piece)]), ...cited.end()];
  return {
    text: events.map((each) => (each.event === "token" ? each.data.text : "")).join(""),
    citations: events.flatMap((each) => (each.event === "citation" ? [each.data] : [])),
  };
}

describe("text of a model", () => {
  it("numbers each record that a tool returned, always with the same number", () => {
    expect(speak([`It is odd [${ALERT}], see [${LOG}] and [${ALERT.toUpperCase()}].`])).toEqual({
      text: "It is odd [1], see [2] and [1].",
      citations: [
        { kind: "alert", id: ALERT },
        { kind: "log", id: LOG },
      ],
    });
  });

  it("is independent of how it is split into chunks", () => {
    const whole = `A [${ALERT}] b\n c [none] d [`;
    expect(speak(Array.from(whole))).toEqual(speak([whole]));
    expect(speak([whole]).text).toBe(
      "A [1] b\n c [?] d [\n[?] marks what refers to no record that was read for this answer.",
    );
  });

  it("cannot contain forged numbers", () => {
    expect(speak(["Trust me [1]."])).toMatchObject({ text: expect.stringContaining("Trust me [?]."), citations: [] });
  });

  it("cites no record that is only mentioned in a text", () => {
    const { citations } = speak([`See [${LOG}].`], [{ alert: { id: ALERT, description: LOG } }]);
    expect(citations).toEqual([]);
  });

  it("cannot contain disguised characters", () => {
    expect(speak(["safe\u202eexe.fdp\u0000\u{e0041} ok\n"]).text).toBe("safeexe.fdp ok\n");
  });
});
