import { expect, it } from "vitest";
import { listDeviceNames } from "./device-names.ts";

it("lists the machine's name and the addresses of its network", () => {
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
  "leaves out the name %j, which is not valid in a certificate",
  (hostname) => {
    expect(listDeviceNames(hostname, {})).toEqual(["localhost", "127.0.0.1", "::1"]);
  },
);
