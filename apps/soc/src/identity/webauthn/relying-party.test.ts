import { expect, it } from "vitest";
import { createRelyingPartyFinder } from "./relying-party.ts";

const find = (publicUrl: string | undefined, host: string | undefined, protocol = "http") =>
  createRelyingPartyFinder(publicUrl)({ protocol, headers: { host } });

it.each([
  ["https://soc.example.org", "evil.example", { id: "soc.example.org", origin: "https://soc.example.org" }],
  ["https://soc.example.org:8443/", undefined, { id: "soc.example.org", origin: "https://soc.example.org:8443" }],
  ["http://localhost:8080", "evil.example", { id: "localhost", origin: "http://localhost:8080" }],
  [undefined, "localhost:8080", { id: "localhost", origin: "http://localhost:8080" }],
])("with SOC_PUBLIC_URL %s and Host %s returns %j", (publicUrl, host, party) => {
  expect(find(publicUrl, host)).toEqual(party);
});

it.each([
  [undefined, "soc.example.org"],
  [undefined, "127.0.0.1:8080"],
  [undefined, "localhost.evil.example"],
  [undefined, "evil.example#localhost"],
  [undefined, "evil.example/@localhost"],
  [undefined, undefined],
  ["http://soc.example.org", "localhost"],
  ["https://192.0.2.7", "localhost"],
  ["https://[2001:db8::7]", "localhost"],
])("with SOC_PUBLIC_URL %s and Host %s returns undefined", (publicUrl, host) => {
  expect(find(publicUrl, host)).toBeUndefined();
});
