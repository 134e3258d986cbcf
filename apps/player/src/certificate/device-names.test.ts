import { expect, it } from "vitest";
import { listDeviceNames } from "./device-names.ts";

it("is the machine's name and the addresses that its network gave it", () => {
  const interfaces = {
    lo: [
      { address: "127.0.0.1", internal: true },
      { address: "::1", internal: true },
    ],
    wlan0: [
      { address: "192.168.4.7", internal: false },
      { address: "fe80::ba27:ebff:fe00:1", internal: false },
      { address: "fd12:3456:789a::a1", internal: false },
    ],
    eth0: undefined,
  };
  expect(listDeviceNames("manara-1", interfaces)).toEqual([
    "localhost",
    "127.0.0.1",
    "::1",
    "manara-1",
    "manara-1.local",
    "192.168.4.7",
    "fd12:3456:789a::a1",
  ]);
});

it.each(["", "منارة", "a b", "a,DNS:evil.example"])(
  "leaves out the name %j, which no certificate can hold",
  (hostname) => {
    expect(listDeviceNames(hostname, {})).toEqual(["localhost", "127.0.0.1", "::1"]);
  },
);
