import { describe, expect, it } from "vitest";
import { clientNetworkOf, findLocalClient, isLoopback, isPublic, reachOf } from "./address.ts";

describe("reachOf", () => {
  it.each(["1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.0", "192.167.255.255", "100.63.255.255", "100.128.0.0"])(
    "classifies %s as public",
    (address) => expect(reachOf(address)).toBe("public"),
  );

  it.each(["2606:4700:4700::1111", "2a00:1450:4001:82a::200e", "2400:cb00::1", "2620:fe::fe"])(
    "classifies %s as public",
    (address) => {
      expect(reachOf(address)).toBe("public");
      expect(isPublic(address)).toBe(true);
    },
  );

  it.each([
    "10.0.0.0",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.0.1",
    "fc00::1",
    "fd12:3456:789a::1",
  ])("classifies %s as private", (address) => {
    expect(reachOf(address)).toBe("private");
    expect(isPublic(address)).toBe(false);
  });

  // IANA IPv4 and IPv6 Special-Purpose Address Registries, and the metadata addresses of the large clouds.
  it.each([
    ["this network", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT, its end", "100.127.255.255"],
    ["metadata of a cloud in carrier-grade NAT", "100.100.100.200"],
    ["loopback", "127.0.0.1"],
    ["loopback, its end", "127.255.255.254"],
    ["link-local", "169.254.0.1"],
    ["metadata", "169.254.169.254"],
    ["protocol assignments", "192.0.0.1"],
    ["metadata in protocol assignments", "192.0.0.192"],
    ["documentation 1", "192.0.2.1"],
    ["AS112", "192.31.196.1"],
    ["AMT", "192.52.193.1"],
    ["6to4 relay", "192.88.99.1"],
    ["AS112 delegation", "192.175.48.1"],
    ["benchmarking", "198.18.0.1"],
    ["benchmarking, its end", "198.19.255.255"],
    ["documentation 2", "198.51.100.1"],
    ["documentation 3", "203.0.113.1"],
    ["multicast", "224.0.0.1"],
    ["multicast, mDNS", "224.0.0.251"],
    ["multicast, its end", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["metadata at a public address", "168.63.129.16"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-compatible and public", "::8.8.8.8"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped and private", "::ffff:192.168.0.1"],
    ["IPv4-mapped and public", "::ffff:8.8.8.8"],
    ["IPv4-mapped in hex", "::ffff:7f00:1"],
    ["IPv4-translated", "::ffff:0:7f00:1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::a00:1"],
    ["discard", "100::1"],
    ["Teredo", "2001::1"],
    ["benchmarking", "2001:2::1"],
    ["AMT", "2001:3::1"],
    ["AS112", "2001:4:112::1"],
    ["ORCHID", "2001:10::1"],
    ["ORCHID 2", "2001:20::1"],
    ["drone tags", "2001:30::1"],
    ["documentation", "2001:db8::1"],
    ["6to4", "2002:7f00:1::1"],
    ["documentation 2", "3fff::1"],
    ["never assigned", "4000::1"],
    ["segment routing", "5f00::1"],
    ["link-local", "fe80::1"],
    ["link-local metadata", "fe80::a9fe:a9fe"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["global with a zone", "2606:4700:4700::1111%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["metadata in unique local", "fd00:ec2::254"],
    ["metadata in unique local", "fd20:ce::254"],
    ["metadata in unique local", "fd00:c1::a9fe:a9fe"],
    ["no address", "example.com"],
    ["no canonical address", "127.1"],
    ["no canonical address", "010.0.0.1"],
    ["nothing", ""],
  ])("forbids %s: %s", (_what, address) => expect(reachOf(address)).toBe("forbidden"));
});

describe("isLoopback", () => {
  it.each(["localhost", "LocalHost", "127.0.0.1", "127.8.9.10", "::1", "[::1]", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])(
    "is true for %s",
    (host) => expect(isLoopback(host)).toBe(true),
  );

  it.each([
    "0.0.0.0",
    "::",
    "192.168.0.1",
    "128.0.0.1",
    "::2",
    "localhost.example.com",
    "127.0.0.1.nip.io",
    "127.1",
    "",
  ])("is false for '%s'", (host) => expect(isLoopback(host)).toBe(false));
});

describe("clientNetworkOf", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:db8:1:2::1", "2001:db8:1::/48"],
    ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1::/48"],
    ["2001:db8:1:3::1", "2001:db8:1::/48"],
    ["2001:db8:2::1", "2001:db8:2::/48"],
    ["fe80::1%eth0", "fe80::/48"],
    ["::1", "::/48"],
    ["", "unknown"],
  ])("counts '%s' as %s", (address, network) => expect(clientNetworkOf(address)).toBe(network));
});

describe("findLocalClient", () => {
  const OWN = ["192.168.0.5", "fe80::5", "2001:db8:1:2::5", "::ffff:192.168.0.5"];

  it.each([
    ["192.168.0.7", "192.168.0.7"],
    ["::ffff:192.168.0.7", "192.168.0.7"],
    ["fe80::1%eth0", "fe80::1%eth0"],
    ["fe80::2", "fe80::2"],
    ["fd12:3456::1", "fd12:3456::1"],
    ["fd12:3456::0002", "fd12:3456::2"],
    ["2001:db8:1:2::7", "2001:db8:1:2::7"],
    ["2001:db8:1:3::7", "2001:db8:1::/48"],
    ["2001:db8:9::1", "2001:db8:9::/48"],
    ["::1", "::1"],
    ["", "unknown"],
  ])("counts '%s' as %s", (address, client) => expect(findLocalClient(address, OWN)).toBe(client));
});
