import { describe, expect, it } from "vitest";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { oneLine } from "../../alerts/alerts/alert-text.ts";
import { render } from "./templates.ts";

const RULE = { id: "r-1", name: "Name with {host}" };
const LOG = sampleLog({
  id: "l-1",
  host: "web-{user}",
  user: "root$&",
  message: "{rule_name} $(reboot) {{host}}",
  src_port: 22,
  attributes: { process: { name: "sh" }, tags: ["a", "b"] },
});

describe("a template", () => {
  it.each([
    ["{rule_name} on {host}", "Name with {host} on web-{user}"],
    ["{message}", "{rule_name} $(reboot) {{host}}"],
    ["{user}:{src_port}", "root$&:22"],
    ["{attributes.process.name} {attributes.tags} {attributes.nothing}.", "sh a, b ."],
    [
      "{unknown} {HOST} {} { host } {constructor} {__proto__}",
      "{unknown} {HOST} {} { host } {constructor} {__proto__}",
    ],
    ["{severity} {source} {rule_id}", "info test r-1"],
    ["{rule_name} on {entity}", "Name with {host} on web-7 {user}"],
  ])("renders a template in one pass and never evaluates it: %s", (template, rendered) => {
    expect(render(template, RULE, { log: LOG, entity: "web-7 {user}" })).toBe(rendered);
  });

  it("renders one line that can be stored", () => {
    expect(oneLine("a\n\tb\0 c\ud800", 100)).toBe("a b c\ufffd");
    expect(oneLine(" \n ", 100)).toBeUndefined();
    expect(oneLine("x".repeat(600), 500)).toHaveLength(500);
  });
});
