import { expect, it } from "vitest";
import { formatYaml } from "./format-yaml.ts";

it("writes one value per line and quotes ambiguous text", () => {
  const playbook = {
    name: "Contain a host",
    description: "",
    critical: true,
    approval: null,
    steps: [
      { id: "a", params: { endpoint: "{parameters.host}", tags: ["x", "yes"] }, when: null, retries: 2 },
      { id: "b", name: "Is it: on?" },
    ],
  };
  expect(formatYaml(playbook)).toBe(`name: Contain a host
critical: true
steps:
  - id: a
    params:
      endpoint: "{parameters.host}"
      tags:
        - x
        - "yes"
    retries: 2
  - id: b
    name: "Is it: on?"
`);
});
