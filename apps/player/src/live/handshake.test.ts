import { expect, it } from "vitest";
import { checkHandshake } from "./handshake.ts";

const GOOD = {
  host: "player.local:8443",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  // The sample nonce of RFC 6455, section 1.3.
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

it.each([
  {},
  { upgrade: "WebSocket" },
  { origin: "https://player.local:8443" },
  { origin: "http://player.local:8443" },
  { origin: "https://Player.local:8443" },
  { host: "[::1]:8443", origin: "https://[::1]:8443" },
])("accepts a handshake with %j", (headers) => {
  expect(checkHandshake({ ws: true, headers: { ...GOOD, ...headers } })).toBeUndefined();
});

it.each([
  [{ upgrade: undefined }, "upgrade: must be websocket"],
  [{ upgrade: "h2c" }, "upgrade: must be websocket"],
  [{ "sec-websocket-version": "8" }, "sec-websocket-version: must be 13"],
  [{ "sec-websocket-version": undefined }, "sec-websocket-version: must be 13"],
  [{ "sec-websocket-key": undefined }, "sec-websocket-key: must be 16 bytes in base64"],
  [{ "sec-websocket-key": "dGhl" }, "sec-websocket-key: must be 16 bytes in base64"],
  [{ "sec-websocket-protocol": "chat" }, "sec-websocket-protocol: none is spoken here"],
  [{ origin: "https://evil.example" }, "origin: must be the host that is asked"],
  [{ origin: "https://player.local" }, "origin: must be the host that is asked"],
  [{ origin: "https://player.local:8443.evil.example" }, "origin: must be the host that is asked"],
  [{ origin: "https://player.local:8443, https://evil.example" }, "origin: must be the host that is asked"],
  [{ origin: "player.local:8443" }, "origin: must be the host that is asked"],
  [{ origin: "file://player.local:8443" }, "origin: must be the host that is asked"],
  [{ origin: "null" }, "origin: must be the host that is asked"],
  [{ origin: "" }, "origin: must be the host that is asked"],
  [{ origin: "https://", host: "" }, "origin: must be the host that is asked"],
])("refuses a handshake with %j", (headers, why) => {
  expect(checkHandshake({ ws: true, headers: { ...GOOD, ...headers } })).toMatchObject({
    kind: "invalid",
    message: why,
  });
});

it("refuses a request that only resembles an upgrade", () => {
  expect(checkHandshake({ ws: false, headers: GOOD })?.message).toBe("upgrade: must be websocket");
});
