import { expect, it } from "vitest";
import { fitWeights } from "./fit.ts";
import { familyOf } from "./situations.ts";

/** Examples whose log-odds are -1 + 2a - 3b exactly, with as many copies as the probability asks for. */
const EXAMPLES = [0, 0.5, 1, 1.5, 2].flatMap((a) =>
  [0, 0.5, 1].flatMap((b) => {
    const attacks = Math.round(50 / (1 + Math.exp(1 - 2 * a + 3 * b)));
    return Array.from({ length: 50 }, (_, at) => ({ values: [a, b], isAttack: at < attacks }));
  }),
);

it("finds the weights that made the examples", () => {
  const { bias, weights } = fitWeights(EXAMPLES, [1, -1], 0);
  const found = [bias, ...weights];
  for (const [at, expected] of [-1, 2, -3].entries()) expect(Math.abs((found[at] ?? 0) - expected)).toBeLessThan(0.1);
});

it("gives a signal no weight against its meaning", () => {
  expect(fitWeights(EXAMPLES, [1, 1], 0).weights[1]).toBe(0);
});

it("gives smaller weights with a larger penalty", () => {
  const [free = 0, tied = 0] = [0, 0.1].map((penalty) => fitWeights(EXAMPLES, [1, -1], penalty).weights[0]);
  expect(tied).toBeLessThan(free * 0.9);
});

it.each([
  ["msf_record_mic", "MSF Record Mic", "metasploit"],
  ["psh_metasploit_stop_eventlog", "Stopping Event Log", "metasploit"],
  ["empire_shell_rubeus_asktgt_ptt", "Rubeus Userland ASKTGT PTT", "empire"],
  ["covenant_persistwmi", null, "covenant"],
  ["purplesharp_ad_playbook_I", "PurpleSharp Active Directory Playbook I", "purplesharp"],
  ["cmd_sam_copy_esentutl", "SAM Copy via Esentutl VSS", "native tools"],
])("the family of %s is found", (situation, title, family) => {
  expect(familyOf({ situation, title })).toBe(family);
});
