import { describe, expect, it } from "vitest";
import { unifyAddress, unifyHost, unifyUser } from "./entity-name.ts";

describe("unifyHost", () => {
  it.each([
    ["WORKSTATION5", "workstation5"],
    ["WORKSTATION5.theshire.local", "workstation5"],
    ["workstation5.theshire.local.", "workstation5"],
    [" Gate ", "gate"],
    ["\\\\FILES01", "files01"],
    ["10.0.0.7", "10.0.0.7"],
    ["0:0:0:0:0:0:0:1", "::1"],
    [".local", ".local"],
    ["", ""],
  ])("normalises the host %j to %j", (name, expected) => {
    expect(unifyHost(name)).toBe(expected);
  });
});

describe("unifyUser", () => {
  it.each([
    ["pgustavo", "pgustavo"],
    ["THESHIRE\\pgustavo", "pgustavo"],
    ["THESHIRE\\\\pgustavo", "pgustavo"],
    ["PGustavo@theshire.local", "pgustavo"],
    [".\\Administrator", "administrator"],
    ["NT AUTHORITY\\SYSTEM", "system"],
    ["WORKSTATION5$", "workstation5$"],
    ["arn:aws:iam::123456789012:user/Alice", "arn:aws:iam::123456789012:user/alice"],
    ["arn:aws:sts::1:assumed-role/Ops/alice@corp.example", "arn:aws:sts::1:assumed-role/ops/alice@corp.example"],
    ["DOMAIN\\", "domain\\"],
    ["@corp.example", "@corp.example"],
    ["", ""],
  ])("normalises the user %j to %j", (name, expected) => {
    expect(unifyUser(name)).toBe(expected);
  });
});

// The spellings of RFC 5952, sections 4 and 5.
describe("unifyAddress", () => {
  it.each([
    ["0:0:0:0:0:0:0:1", "::1"],
    ["2001:0DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["::ffff:10.0.0.7", "10.0.0.7"],
    ["0:0:0:0:0:FFFF:0A00:0007", "10.0.0.7"],
    ["fe80::1%eth0", "fe80::1"],
    ["::", "::"],
    ["10.0.0.7", "10.0.0.7"],
    ["nowhere", "nowhere"],
    ["010.0.0.7", "010.0.0.7"],
  ])("normalises the address %j to %j", (text, expected) => {
    expect(unifyAddress(text)).toBe(expected);
  });
});
