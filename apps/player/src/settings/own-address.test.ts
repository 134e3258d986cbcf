import type { NetworkInterfaceInfo } from "node:os";
import { expect, it } from "vitest";
import { findOwnAddress } from "./own-address.ts";

const MORE = { netmask: "", mac: "", cidr: null };
const LOOPBACK: NetworkInterfaceInfo = { ...MORE, address: "127.0.0.1", family: "IPv4", internal: true };
const FOURTH: NetworkInterfaceInfo = { ...MORE, address: "192.168.1.7", family: "IPv4", internal: false };
const SIXTH: NetworkInterfaceInfo = { ...MORE, address: "2001:db8::7", family: "IPv6", internal: false, scopeid: 0 };
const LINK: NetworkInterfaceInfo = { ...MORE, address: "fe80::7", family: "IPv6", internal: false, scopeid: 2 };

it.each([
  ["192.168.1.7", { lo: [LOOPBACK], eth0: [LINK, SIXTH, FOURTH] }],
  ["2001:db8::7", { lo: [LOOPBACK], eth0: [LINK, SIXTH] }],
  ["", { lo: [LOOPBACK], eth0: [LINK] }],
  ["192.168.1.7", { docker0: [{ ...FOURTH, address: "172.17.0.1" }], wlan0: [FOURTH] }],
  ["", { docker0: [{ ...FOURTH, address: "172.17.0.1" }] }],
  ["", {}],
])("finds %j in the interfaces %j", (address, interfaces) => {
  expect(findOwnAddress(interfaces)).toBe(address);
});
