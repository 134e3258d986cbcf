import { describe, expect, it } from "vitest";
import { PLAYBOOKS_FOLDER } from "../../../testing/harness/response-parts.ts";
import { responseRegistry } from "../../../testing/harness/response-registry.ts";
import { UpdateAlertRequest } from "../../alerts/alerts/alerts.schema.ts";
import { LOCAL_YAML } from "../../foundation/yaml/local-yaml.ts";
import { readBuiltInPlaybooks } from "./built-in-playbooks.ts";
import { isForcedCritical } from "./playbook.ts";
import { checkPlaybook } from "./playbook-check.ts";
import { buildRefusal, readYaml, toYaml } from "./playbook-yaml.ts";

const actions = responseRegistry();

const step = (fields: object = {}) => ({ id: "one", action: "wait", params: { seconds: 5 }, ...fields });
const playbook = (...steps: object[]) => ({ id: "mine", name: "Mine", steps });
const listProblems = (written: unknown) =>
  checkPlaybook(undefined, written, actions).misfits.map(({ path, message }) => `${path.join(".")}: ${message}`);

describe("playbook definitions", () => {
  it("fills omitted fields with the documented defaults", () => {
    const { definition } = checkPlaybook("mine", { name: "Mine", steps: [step()] }, actions);
    expect(definition).toEqual({
      id: "mine",
      name: "Mine",
      description: "",
      critical: false,
      trigger: "",
      inputs: [],
      approval: null,
      steps: [
        {
          id: "one",
          name: "one",
          action: "wait",
          params: { seconds: 5 },
          when: null,
          timeout_s: 60,
          retries: 2,
          on_error: "stop",
          compensate: null,
        },
      ],
    });
  });

  it.each([
    ["no name", { id: "mine", steps: [step()] }, ["name: is required"]],
    ["no steps", { id: "mine", name: "Mine", steps: [] }, ["steps: must be a list of 1 to 50 items"]],
    ["no id", { name: "Mine", steps: [step()] }, ["id: is required"]],
    ["an unknown field", { ...playbook(step()), colour: "red" }, ["colour: is not a known field"]],
    [
      "an unknown action",
      playbook(step({ action: "coffee.make" })),
      [expect.stringMatching(/^steps.0.action: must be one of alert.update, approval.request, case/)],
    ],
    ["a missing parameter", playbook(step({ params: {} })), ["steps.0.params.seconds: is required"]],
    [
      "a wrong parameter",
      playbook(step({ params: { seconds: 0 } })),
      ["steps.0.params.seconds: must be an integer from 1 to 2592000"],
    ],
    [
      "an unknown parameter",
      playbook(step({ params: { seconds: 1, minutes: 1 } })),
      ["steps.0.params.minutes: is not a known field"],
    ],
    ["the same id twice", playbook(step(), step()), ["steps.1.id: 'one' is the id of an earlier step"]],
    ["a timeout of zero", playbook(step({ timeout_s: 0 })), ["steps.0.timeout_s: must be an integer from 1 to 3600"]],
    [
      "an input that is named twice",
      { ...playbook(step()), inputs: [{ name: "host" }, { name: "host" }] },
      ["inputs.1.name: 'host' is the name of an earlier input"],
    ],
    [
      "an input from a field that does not exist",
      { ...playbook(step()), inputs: [{ name: "host", from: "alert.hoost" }] },
      ["inputs.0.from: 'alert.hoost' is not a field of an alert"],
    ],
    [
      "a parameter that is no input",
      { ...playbook(step({ when: "parameters.hots:*" })), inputs: [{ name: "host" }] },
      ["steps.0.when: 'parameters.hots' is not an input of the playbook"],
    ],
    [
      "a step that comes later",
      playbook(step({ when: "steps.two.status:completed" }), step({ id: "two" })),
      ["steps.0.when: 'steps.two.status' does not name an earlier step"],
    ],
    [
      "a field that no alert has",
      playbook(step({ when: "alert.colour:red" })),
      ["steps.0.when: 'alert.colour' is not a field of an alert"],
    ],
    [
      "a condition on an unknown field",
      playbook(step({ when: "alert.severity:high AND host:x" })),
      [expect.stringMatching(/^steps.0.when: there is no field 'host' .*, at character 25$/)],
    ],
    [
      "a condition without a field",
      playbook(step({ when: "critical" })),
      ["steps.0.when: every value needs a field before it, at character 1"],
    ],
    [
      "a condition with an open parenthesis",
      playbook(step({ when: "alert.severity:high AND (alert.host:a" })),
      ["steps.0.when: a parenthesis is not closed, at character 25"],
    ],
    [
      "a wait as a compensation",
      playbook(step({ compensate: { action: "wait", params: { seconds: 1 } } })),
      [expect.stringMatching(/^steps.0.compensate.action: 'wait' waits/)],
    ],
    [
      "a template in a query",
      playbook(step({ action: "siem.search", params: { query: 'user:"{alert.user}"' } })),
      ["steps.0.params.query: must not have placeholders"],
    ],
    [
      "a character that cannot be stored",
      playbook(step({ name: "a\0b" })),
      [": contains a character that cannot be stored"],
    ],
  ])("refuses a playbook with %s", (_, written, problems) => {
    expect(listProblems(written)).toEqual(problems);
  });

  it("accepts a template instead of any value and checks plain values", () => {
    const search = {
      action: "siem.search",
      params: { match: { host: "{alert.host}" }, last_hours: "{parameters.hours}" },
    };
    expect(listProblems(playbook(step(search)))).toEqual([]);
    expect(listProblems(playbook(step({ ...search, params: { ...search.params, limit: 0 } })))).toEqual([
      "steps.0.params.limit: must be an integer from 1 to 100",
    ]);
  });

  it.each(["edr.isolate", "cps.revoke", "http.request"] as const)(
    "forces a playbook to be critical with %s",
    (action) => {
      expect(isForcedCritical([{ action, compensate: null }], actions)).toBe(true);
      expect(isForcedCritical([{ action: "wait", compensate: { action, params: {} } }], actions)).toBe(true);
      expect(isForcedCritical([{ action: "edr.scan", compensate: null }], actions)).toBe(false);
      const params = {
        "edr.isolate": { endpoint: "a" },
        "cps.revoke": { device_id: "a" },
        "http.request": { adapter: "a" },
      };
      const written = { ...playbook(step({ action, params: params[action] })), critical: false };
      expect(checkPlaybook(undefined, written, actions).definition?.critical).toBe(true);
    },
  );

  it("accepts every parameter of an alert update", () => {
    for (const name of Object.keys(UpdateAlertRequest.properties)) {
      const misfits = listProblems(playbook(step({ action: "alert.update", params: { [name]: "{parameters.x}" } })));
      expect(misfits).toEqual([]);
    }
  });
});

describe("playbook YAML", () => {
  it("reports the position of the problem", async () => {
    const [written] = await readYaml(
      LOCAL_YAML,
      "id: mine\nname: Mine\nsteps:\n  - id: one\n    action: wait\n    params:\n      seconds: none\n",
    );
    const { misfits } = checkPlaybook(undefined, written?.value, actions);
    expect(buildRefusal(misfits, written).message).toBe(
      "steps.0.params.seconds: must be an integer from 1 to 2592000, at line 7, column 16",
    );
  });

  it.each([
    ["name: a\nname: b\n", "yaml: Map keys must be unique, at line 2, column 1"],
    ["name: [\n", /^yaml: .*, at line 2, column 1$/],
    ["name: !secret x\n", /^yaml: Unresolved tag: !secret, at line 1, column 7$/],
    ["", "yaml: must contain a playbook"],
    [
      "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n",
      "yaml: has too many or unknown aliases",
    ],
  ])("refuses %j", async (yaml, message) => {
    await expect(readYaml(LOCAL_YAML, yaml)).rejects.toThrow(message);
  });

  it("parses back to the same definition", async () => {
    for (const { definition } of await readBuiltInPlaybooks(PLAYBOOKS_FOLDER, actions)) {
      const [written] = await readYaml(LOCAL_YAML, toYaml(definition));
      expect(checkPlaybook(undefined, written?.value, actions).definition).toEqual(definition);
    }
  });
});

describe("the built-in playbooks", () => {
  it("consist of ten valid playbooks with four to eight steps", async () => {
    const builtIns = await readBuiltInPlaybooks(PLAYBOOKS_FOLDER, actions);
    expect(builtIns.map(({ definition }) => definition.id)).toEqual([
      "brute-force",
      "data-theft",
      "firmware-mismatch",
      "leaked-credential",
      "lost-device",
      "malicious-address",
      "phishing",
      "ransomware-host",
      "rogue-device",
      "suspicious-admin",
    ]);
    for (const { definition } of builtIns) {
      expect(definition.steps.length).toBeGreaterThanOrEqual(4);
      expect(definition.steps.length).toBeLessThanOrEqual(8);
    }
    expect(builtIns.filter(({ definition }) => definition.critical).map(({ definition }) => definition.id)).toEqual([
      "data-theft",
      "firmware-mismatch",
      "leaked-credential",
      "lost-device",
      "ransomware-host",
    ]);
  });
});
