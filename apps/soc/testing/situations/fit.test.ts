import { expect, it } from "vitest";
import { fitWeights } from "./fit.ts";
import { familyOf } from "./situations.ts";

/** Examples whose log-odds are exactly -1 + 2a - 3b, with as many copies as the probability requires. */
const EXAMPLES = [0, 0.5, 1, 1.5, 2].flatMap((a) =>
  [0, 0.5, 1].flatMap((b) => {
    const attacks = Math.round(50 / (1 + Math.exp(1 - 2 * a + 3 * b)));
    return Array.from({ length: 50 }, (_, at) => ({ values: [a, b], isAttack: at < attacks }));
  }),
);

const FREE = fitWeights(EXAMPLES, [1, -1], 0);

it("recovers the weights that generated the examples", () => {
  const { bias, weights } = FREE;
  const found = [bias, ...weights];
  for (const [at, expected] of [-1, 2, -3].entries()) expect(Math.abs((found[at] ?? 0) - expected)).toBeLessThan(0.1);
});

it("gives a signal no weight that contradicts its meaning", () => {
  expect(fitWeights(EXAMPLES, [1, 1], 0).weights[1]).toBe(0);
});

it("gives smaller weights with a larger penalty", () => {
  const [free = 0] = FREE.weights;
  const [tied = 0] = fitWeights(EXAMPLES, [1, -1], 0.1).weights;
  expect(tied).toBeLessThan(free * 0.9);
});

it.each([
  ["msf_record_mic", "MSF Record Mic", "metasploit"],
  ["psh_metasploit_stop_eventlog", "Stopping Event Log", "metasploit"],
  ["empire_shell_rubeus_asktgt_ptt", "Rubeus Userland ASKTGT PTT", "empire"],
  ["covenant_persistwmi", null, "covenant"],
  ["purplesharp_ad_playbook_I", "PurpleSharp Active Directory Playbook I", "purplesharp"],
  ["cmd_sam_copy_esentutl", "SAM Copy via Esentutl VSS", "native tools"],
])("recognises the family of %s", (situation, title, family) => {
  expect(familyOf({ situation, title })).toBe(family);
});
