import { expect, it } from "vitest";
import { parseNatsAddress } from "./nats-address.ts";

it("reads the servers and the credentials from a list", () => {
  expect(parseNatsAddress("nats://soc:s%40fe@one:4222, nats://two:4223,nats://[::1]:4224")).toEqual({
    servers: ["one:4222", "two:4223", "[::1]:4224"],
    user: "soc",
    pass: "s@fe",
    hasTls: false,
  });
});

it("enables encryption if one address uses tls", () => {
  expect(parseNatsAddress("tls://one:4222")).toEqual({
    servers: ["one:4222"],
    user: undefined,
    pass: undefined,
    hasTls: true,
  });
});

it.each(["", "http://one", "nats://", "one:4222", "nats://one,secret-word"])(
  "refuses %j without repeating it in the error",
  (text) => {
    expect(() => parseNatsAddress(text)).toThrow(
      /^SOC_STREAM: must be outbox or a list of addresses like nats:\/\/host:4222$/,
    );
  },
);
