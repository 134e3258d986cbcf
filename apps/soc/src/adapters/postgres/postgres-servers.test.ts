import { expect, it } from "vitest";
import { createServers, findUrlProblem, parseServers } from "./postgres-servers.ts";

it.each([
  ["postgres://soc_app:pw@a:5432/soc", ["postgres://soc_app:pw@a:5432/soc"]],
  [
    "postgres://soc_app:p%2Cw@a:5432,b:5433,c/soc?sslmode=require",
    [
      "postgres://soc_app:p%2Cw@a:5432/soc?sslmode=require",
      "postgres://soc_app:p%2Cw@b:5433/soc?sslmode=require",
      "postgres://soc_app:p%2Cw@c/soc?sslmode=require",
    ],
  ],
  [
    "postgresql://[2001:db8::1]:5432,[2001:db8::2]/soc",
    ["postgresql://[2001:db8::1]:5432/soc", "postgresql://[2001:db8::2]/soc"],
  ],
])("parses the servers of %s", (url, servers) => {
  expect(parseServers(url)).toEqual(servers);
  expect(findUrlProblem(url)).toBeUndefined();
});

it("refuses an invalid address, without repeating the password", () => {
  expect(findUrlProblem("postgres://soc_app:secret@a:5432,b:none/soc")).toBe(
    "must be postgres://user:password@host:port,host:port/name",
  );
  expect(findUrlProblem(`postgres://u:secret@${"a,".repeat(10)}b/soc`)).toBe("must name at most 10 hosts");
});

it("advances to the next server once, however many connections lose the same one", () => {
  const servers = createServers("postgres://a,b,c/soc");
  expect(servers.current()).toBe("postgres://a/soc");
  for (let count = 0; count < 5; count += 1) servers.lose("postgres://a/soc");
  expect(servers.current()).toBe("postgres://b/soc");
  servers.lose("postgres://b/soc");
  servers.lose("postgres://c/soc");
  expect(servers.current()).toBe("postgres://a/soc");
});
