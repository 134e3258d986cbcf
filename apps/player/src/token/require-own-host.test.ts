import { describe, expect, it } from "vitest";
import { createTestPlayer } from "../../testing/test-player.ts";
import { isOwnHost } from "./require-own-host.ts";

describe("the name of the device without TLS", () => {
  it.each([
    "192.168.0.5",
    "192.168.0.5:8080",
    "[fe80::1]:8080",
    "[::1]",
    "localhost:8080",
    "manara",
    "Manara.local:8080",
    "player.home.arpa",
    "player.internal",
    "player.example.org:8080",
  ])("the name of the device without TLS may be %j", (host) =>
    expect(isOwnHost(host, ["player.example.org"])).toBe(true),
  );

  it.each(["", ":8080", "evil.example", "evil.example:8080", "192.168.0.5.evil.example", "local.evil.example", "a.b"])(
    "the name of the device without TLS may not be %j",
    (host) => expect(isOwnHost(host, ["player.example.org"])).toBe(false),
  );

  it("the name of the device without TLS is checked for every path, so that a page of the internet reads nothing", async () => {
    const { app } = await createTestPlayer();
    for (const url of ["/", "/api/prayer", "/api/nowhere"]) {
      const refused = await app.inject({ url, headers: { host: "evil.example:8443" } });
      expect(refused.statusCode).toBe(400);
      expect(refused.json().error).toMatch(/^host: /);
    }
    expect((await app.inject({ url: "/api/prayer", headers: { host: "192.168.0.5:8443" } })).statusCode).toBe(200);
  });
});
