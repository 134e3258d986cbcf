import { expect, it } from "vitest";
import { createMutex } from "./mutex.ts";

it("runs work with the same key sequentially in call order", async () => {
  const mutex = createMutex();
  const seen: string[] = [];
  let end: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = [
    mutex("a", async () => {
      seen.push("first begins");
      await open;
      seen.push("first ends");
    }),
    mutex("a", async () => seen.push("second")),
    mutex("a", async () => seen.push("third")),
  ];
  await mutex("b", async () => seen.push("another key"));
  end();
  await Promise.all(done);
  expect(seen).toEqual(["first begins", "another key", "first ends", "second", "third"]);
});

it("runs the next work after a failure and passes the failure to it", async () => {
  const mutex = createMutex();
  const failed = mutex("a", () => Promise.reject(new Error("no room")));
  const next = mutex("a", async (before) => before);
  const third = mutex("a", async (before) => before);
  await expect(failed).rejects.toThrow("no room");
  expect(await next).toEqual(new Error("no room"));
  expect(await third).toBeUndefined();
  expect(await mutex("a", async (before) => before)).toBeUndefined();
});
