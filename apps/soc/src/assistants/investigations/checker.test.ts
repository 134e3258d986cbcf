import { expect, it } from "vitest";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { SAMPLE_WORLD } from "../../../testing/situations/sample-intrusion.ts";
import { checkFindings } from "./checker.ts";
import type { Claim, Finding } from "./findings.ts";

const reader = createMemoryReader(SAMPLE_WORLD);
const KNOWN = { titles: ["Load of Amsi.dll"], techniques: ["T1055"] };

async function check(finding: Partial<Finding>): Promise<string[]> {
  const given = { statement: "Something happened.", evidence_ids: ["log-2"], claims: [], ...finding };
  const [checked] = await checkFindings(reader, [given], KNOWN);
  expect(checked?.is_supported).toBe(checked?.unsupported.length === 0);
  return checked?.unsupported ?? ["nothing was checked"];
}

function claim(field: string, value: string, log_id = "log-2"): Claim {
  return { log_id, field, value };
}

it.each<[string, Partial<Finding>]>([
  ["a field of the log", { claims: [claim("host", "ws5.corp.example")] }],
  ["a part of an attribute, in another case", { claims: [claim("CommandLine", "POWERSHELL -ENC")] }],
  ["some field", { claims: [claim("*", "SQBFAFgA")] }],
  ["a number in another base", { statement: "The process 0x10e1 was started (pid 4321)." }],
  ["values in the sentence", { statement: "winword.exe started powershell.exe as CORP\\ada." }],
  ["the title of a known rule", { statement: 'The rule "Load of Amsi.dll" matched.' }],
  [
    "what an event itself says, in quotes",
    { statement: 'It ran "powershell -enc SQBFAFgA".', claims: [claim("CommandLine", "powershell -enc SQBFAFgA")] },
  ],
  ["a technique that was found", { statement: "This is T1055." }],
])("accepts %s", async (_what, finding) => {
  expect(await check(finding)).toEqual([]);
});

it.each<[string, Partial<Finding>, string]>([
  ["a sentence without events", { evidence_ids: [] }, "cites no event"],
  ["an event that does not exist", { evidence_ids: ["log-99"] }, "event log-99 does not exist"],
  ["a value that the field does not have", { claims: [claim("user", "root")] }, 'event log-2 has no user "root"'],
  ["a field that the event does not have", { claims: [claim("Hashes", "ab")] }, 'event log-2 has no Hashes "ab"'],
  ["an empty value", { claims: [claim("host", "")] }, 'event log-2 has no host ""'],
  ["a claim about another event", { claims: [claim("host", "WS5", "log-1")] }, "event log-1 is not cited"],
  ["an invented program", { statement: "evil.exe ran." }, 'no cited event contains "evil.exe"'],
  ["an invented address", { statement: "It reached 198.51.100.7." }, 'no cited event contains "198.51.100.7"'],
  ["an invented process number", { statement: "powershell.exe (pid 1)" }, "no cited event names the process 1"],
  ["an invented account", { statement: "CORP\\root did it." }, 'no cited event contains "CORP\\root"'],
  ["an invented technique", { statement: "This is T1486." }, "no rule or event stands for T1486"],
])("marks %s", async (_what, finding, why) => {
  expect(await check(finding)).toContain(why);
});

it("marks the unchecked findings of a list that is too long", async () => {
  const finding = { statement: "Something happened.", evidence_ids: ["log-2"], claims: [] };
  const checked = await checkFindings(
    reader,
    Array.from({ length: 300 }, () => finding),
    KNOWN,
  );
  expect(checked.map(({ is_supported }) => is_supported)).toEqual(Array.from({ length: 300 }, (_, at) => at < 200));
});
