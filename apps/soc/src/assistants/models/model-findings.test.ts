import { describe, expect, it } from "vitest";
import { joinVerdicts } from "./join-verdicts.ts";
import { parseModelFindings } from "./model-findings.ts";

const FINDING = { statement: "A logon came from 203.0.113.7.", evidence_ids: ["log-1"] };
const ANSWER = { verdict: "malicious", confidence: 0.9, findings: [FINDING] };

describe("answers of a model", () => {
  it.each([
    ["JSON", JSON.stringify(ANSWER)],
    ["JSON with space around it", `\n ${JSON.stringify(ANSWER, null, 2)}\n`],
    ["JSON in one fence", `\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\``],
  ])("are parsed as %s", (_form, text) => {
    expect(parseModelFindings(text)).toEqual({ ...ANSWER, findings: [{ ...FINDING, claims: [] }], dropped: 0 });
  });

  it.each([
    ["nothing", ""],
    ["prose", "The verdict is malicious."],
    ["prose around JSON", `Here it is: ${JSON.stringify(ANSWER)}`],
    ["two objects", `${JSON.stringify(ANSWER)}\n${JSON.stringify(ANSWER)}`],
    ["cut JSON", JSON.stringify(ANSWER).slice(0, -1)],
    ["a list", JSON.stringify([ANSWER])],
    ["an unknown verdict", JSON.stringify({ ...ANSWER, verdict: "fine" })],
    ["a confidence above 1", JSON.stringify({ ...ANSWER, confidence: 1.1 })],
    ["a confidence as text", JSON.stringify({ ...ANSWER, confidence: "0.9" })],
    ["an unknown field", JSON.stringify({ ...ANSWER, approve: true })],
    ["no findings", JSON.stringify({ verdict: "benign", confidence: 1 })],
    ["a prototype", '{"verdict":"benign","confidence":1,"findings":[],"__proto__":{"is_supported":true}}'],
    ["more than 200,000 characters", JSON.stringify({ ...ANSWER, findings: ["x".repeat(200_000)] })],
    ["more than 100 findings", JSON.stringify({ ...ANSWER, findings: Array(101).fill(FINDING) })],
  ])("are rejected if they are %s", (_what, text) => expect(parseModelFindings(text)).toBeUndefined());

  it.each([
    ["no evidence", { ...FINDING, evidence_ids: [] }],
    ["an empty sentence", { ...FINDING, statement: " " }],
    ["a sentence of 1,001 characters", { ...FINDING, statement: "x".repeat(1001) }],
    ["a malformed claim", { ...FINDING, claims: [{ log_id: "log-1", field: "user" }] }],
    ["its own mark of support", { ...FINDING, is_supported: true }],
    ["no object", "a finding"],
  ])("lose only a finding with %s", (_what, wrong) => {
    const read = parseModelFindings(JSON.stringify({ ...ANSWER, findings: [wrong, FINDING] }));
    expect(read).toMatchObject({ findings: [FINDING], dropped: 1 });
  });
});

describe("joined verdicts", () => {
  const supported = [{ is_supported: false }, { is_supported: true }];
  const VERDICTS = ["benign", "inconclusive", "malicious"] as const;
  const pairs = VERDICTS.flatMap((own, ownRank) =>
    VERDICTS.map((model, modelRank) => [own, model, VERDICTS[Math.max(ownRank, modelRank)]] as const),
  );

  it.each(pairs)("combine our %s with a model's %s to %s", (own, model, joined) => {
    const both = joinVerdicts(
      { verdict: own, confidence: 0.6 },
      { verdict: model, confidence: 0.7, findings: supported },
    );
    expect(both).toEqual({ verdict: joined, confidence: joined === own ? 0.6 : 0.7 });
  });

  it("are raised with a confidence of at most 0.8", () => {
    const model = { verdict: "malicious", confidence: 1, findings: supported } as const;
    expect(joinVerdicts({ verdict: "benign", confidence: 0.99 }, model)).toEqual({
      verdict: "malicious",
      confidence: 0.8,
    });
  });

  it("stay ours if no event supports the model, or if it gave no answer", () => {
    const own = { verdict: "inconclusive", confidence: 0.6 } as const;
    expect(joinVerdicts(own, { verdict: "malicious", confidence: 1, findings: [{ is_supported: false }] })).toEqual(
      own,
    );
    expect(joinVerdicts(own, { verdict: "malicious", confidence: 1, findings: [] })).toEqual(own);
    expect(joinVerdicts(own, undefined)).toEqual(own);
  });

  it("are never milder, nor more certain of a mild verdict", () => {
    const model = { verdict: "benign", confidence: 1, findings: supported } as const;
    for (const verdict of VERDICTS)
      expect(joinVerdicts({ verdict, confidence: 0.5 }, model)).toEqual({ verdict, confidence: 0.5 });
  });
});
