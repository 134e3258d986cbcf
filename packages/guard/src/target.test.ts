import { expect, it } from "vitest";
import { parseTarget } from "./target.ts";

it.each([
  [`http://radio.example/${"x".repeat(1024)}`, "url_too_long"],
  ["http://radio.example/a b", "characters_forbidden"],
  ["ftp://radio.example/", "scheme_forbidden"],
  ["radio.example", "scheme_forbidden"],
  ["http://user:hunter2@radio.example/", "credentials_forbidden"],
  ["http://[zz]/", "url_malformed"],
  ["http://radio..example/", "url_malformed"],
  ["http://localhost/", "address_forbidden"],
  ["http://10.0.0.1/", "address_forbidden"],
])("refuses %s with a machine-readable code", (url, code) => {
  const policy = { schemes: ["http:", "https:"], allowPrivate: false } as const;
  expect(() => parseTarget("stream.url", url, policy)).toThrow(
    expect.objectContaining({ kind: "invalid", field: "stream.url", code }),
  );
});
