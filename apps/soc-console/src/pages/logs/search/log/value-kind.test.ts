import { expect, it } from "vitest";
import { findEntityKind, findObservableType, isIndicator } from "./value-kind.ts";

it.each([
  ["host", "anything at all", "host"],
  ["user", "CORP\\m.haddad", "user"],
  ["src_ip", "192.0.2.7", "ip"],
  ["attributes.dst", "192.0.2.255", "ip"],
  ["attributes.dst", "192.0.2.256", undefined],
  ["attributes.dst", "2001:db8::1", "ip"],
  ["attributes.time", "19:36", undefined],
  ["attributes.md5", "d41d8cd98f00b204e9800998ecf8427e", "hash"],
  ["attributes.name", "cdn-update.example", "domain"],
  ["attributes.image", "powershell.exe", undefined],
  ["message", "failed password", undefined],
])("classifies %s %j as %s", (field, value, kind) => {
  expect(findEntityKind(field, value)).toBe(kind);
});

it("offers addresses, domains and hashes as indicators, but not our own hosts and users", () => {
  expect(isIndicator("host", "192.0.2.7")).toBe(false);
  expect(isIndicator("attributes.dst", "192.0.2.7")).toBe(true);
});

it("maps values to observable types", () => {
  const types = ["d41d8cd98f00b204e9800998ecf8427e", "192.0.2.7", "x y"].map((value) =>
    findObservableType("attributes.a", value),
  );
  expect(types).toEqual(["md5", "ip", "other"]);
});
