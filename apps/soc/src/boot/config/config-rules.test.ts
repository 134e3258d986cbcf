import { describe, expect, it } from "vitest";
import { readServiceAccess } from "./config-rules.ts";

const readFile = async (path: string) => `held in ${path}\n`;

describe("readServiceAccess", () => {
  it("accepts a key, a token or a password from the environment or a file", async () => {
    const SOC_URL = "https://soc.example/";
    const read = (environment: Record<string, string>) => readServiceAccess({ SOC_URL, ...environment }, readFile);
    const url = "https://soc.example";
    expect(await read({ SOC_API_KEY: "k" })).toEqual({ url, headers: { "x-api-key": "k" } });
    expect(await read({ SOC_API_KEY_FILE: "a" })).toEqual({ url, headers: { "x-api-key": "held in a" } });
    expect(await read({ SOC_TOKEN_FILE: "b" })).toEqual({ url, headers: { authorization: "Bearer held in b" } });
    const signIn = { username: "admin", password: "held in c" };
    expect(await read({ SOC_PASSWORD_FILE: "c" })).toEqual({ url, headers: {}, signIn });
  });

  it.each([
    [{ SOC_API_KEY: "k" }, /^SOC_URL: is required/],
    [{ SOC_URL: "http://soc.example", SOC_API_KEY: "k" }, /^SOC_URL: must be https/],
    [{ SOC_URL: "https://soc.example" }, /^SOC_API_KEY_FILE: is required/],
  ])("refuses %j", async (environment, why) => {
    await expect(readServiceAccess(environment, readFile)).rejects.toThrow(why);
  });

  it("allows http to this machine", async () => {
    const { url } = await readServiceAccess({ SOC_URL: "http://127.0.0.1:8080", SOC_TOKEN: "t" }, readFile);
    expect(url).toBe("http://127.0.0.1:8080");
  });
});
