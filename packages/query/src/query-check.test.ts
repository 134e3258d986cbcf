import { expect, it } from "vitest";
import { checkQuery } from "./query-check.ts";

const marked = (query: string) => {
  const [problem] = checkQuery(query);
  return problem && query.slice(problem.from, problem.to);
};

it("finds no problem in a valid query", () => {
  for (const query of ["", "failed", 'user:"two words" AND NOT host:srv-*', "attributes.a.b:>3"]) {
    expect(checkQuery(query)).toEqual([]);
  }
});

it("marks the position of an error", () => {
  expect(marked("failed hots:srv-1")).toBe("hots:srv-1");
  expect(marked("a (b OR c")).toBe("(");
  expect(marked("a ) b")).toBe(")");
  expect(marked('a "never closed')).toBe('"never closed');
  expect(marked("😀 src_port:abc")).toBe("abc");
  expect(marked("user:root AND")).toBe("");
  expect(checkQuery("user:root AND")).toEqual([
    { message: "something to look for is missing at the end", from: 13, to: 13 },
  ]);
});

it("states the reason and the closest field", () => {
  expect(checkQuery("hosts:srv-1")[0]?.message).toContain("the closest is 'host'");
  expect(checkQuery(`${"a ".repeat(2049)}`)).toMatchObject([{ from: 4096 }]);
});
