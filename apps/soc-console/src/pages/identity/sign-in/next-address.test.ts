import { describe, expect, it } from "vitest";
import { nextAddress } from "./next-address.ts";

describe("the address after a sign-in", () => {
  it.each([
    ["/alerts", "?q=host%3Afin", "/alerts?q=host%3Afin"],
    ["/sign-in", "", "/"],
    ["/sign-in", "?next=/cases/7", "/cases/7"],
    ["/sign-in", "?next=/alerts%3Fq%3Dx", "/alerts?q=x"],
  ])("redirects after a sign-in at %s%s to %s", (pathname, search, address) => {
    expect(nextAddress({ pathname, search })).toBe(address);
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/%09/evil.example\t",
    "javascript:alert(1)",
    "/sign-in?next=/x",
  ])("never redirects outside the console: %s", (next) => {
    expect(nextAddress({ pathname: "/sign-in", search: `?${new URLSearchParams({ next })}` })).toBe("/");
  });
});
