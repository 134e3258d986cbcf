import { expect, it } from "vitest";
import { parsePrivateTargets } from "./private-targets.ts";

const parse = (text: string) => parsePrivateTargets("SOC_NOTIFY_PRIVATE", text);

it("parses networks, addresses and host names", () => {
  const targets = parse("10.20.0.0/16, fd12::/48,192.168.7.9 , Mattermost.corp.example");
  const addresses = ["10.20.3.4", "10.21.0.1", "192.168.7.9", "192.168.7.10", "fd12::7", "fd13::7", "mattermost"];
  expect(addresses.filter((address) => targets.isAddress(address))).toEqual(["10.20.3.4", "192.168.7.9", "fd12::7"]);
  expect(["mattermost.CORP.example", "corp.example", "10.20.3.4"].filter((name) => targets.isHost(name))).toEqual([
    "mattermost.CORP.example",
  ]);
});

it("allows nothing if it is empty", () => {
  const targets = parse("");
  expect([targets.isHost(""), targets.isAddress("10.0.0.1")]).toEqual([false, false]);
});

it.each(["10.0.0.0/33", "fd12::/129", "10.0.0.0/x", "https://mattermost", "*.example", "a b"])("refuses %j", (text) => {
  expect(() => parse(text)).toThrow(/^SOC_NOTIFY_PRIVATE: '/);
});
