import { expect, it } from "vitest";
import { listDeviceNames } from "./device-names.ts";

it("lists the machine's name and the lasting addresses of its networks, also of its own network", () => {
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
    docker0: [{ address: "172.17.0.1", internal: false }],
    veth12ab: [{ address: "169.254.7.7", internal: false }],
    wg0: [{ address: "10.8.0.2", internal: false }],
  };
  expect(listDeviceNames("manara-1", interfaces)).toEqual([
    "localhost",
    "127.0.0.1",
    "::1",
    "10.42.0.1",
    "manara-1",
    "manara-1.local",
    "192.168.4.7",
  ]);
});

it.each(["", "منارة", "a b", "a,DNS:evil.example"])(
  "leaves out the name %j, which is not valid in a certificate",
  (hostname) => {
    expect(listDeviceNames(hostname, {})).toEqual(["localhost", "127.0.0.1", "::1", "10.42.0.1"]);
  },
);
