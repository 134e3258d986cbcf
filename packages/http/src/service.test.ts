import { expect, it } from "vitest";
import { formatServiceAddress } from "./service.ts";

it.each([
  ["127.0.0.1", true, "https://localhost:8443"],
  ["::1", true, "https://localhost:8443"],
  ["0.0.0.0", false, "http://localhost:8443"],
  ["::", false, "http://localhost:8443"],
  ["192.168.4.7", true, "https://192.168.4.7:8443"],
  ["fd12:3456:789a::a1", true, "https://[fd12:3456:789a::a1]:8443"],
  ["player.local", true, "https://player.local:8443"],
])("shows a service on %s (TLS: %s) as %s", (host, hasTls, address) => {
  expect(formatServiceAddress({ host, port: 8443, hasTls })).toBe(address);
});
