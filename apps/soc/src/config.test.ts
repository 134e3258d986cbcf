import { expect, it } from "vitest";
import { readConfig } from "./config.ts";

it("is a showcase on port 8080 of this machine when nothing is set", () => {
  expect(readConfig({})).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    mode: "dummy",
    databaseUrl: undefined,
    addressLimitPerMinute: 600,
    generalLimitPerMinute: 100,
  });
});

it.each([
  [{ SOC_PORT: "http" }, /^SOC_PORT: /],
  [{ SOC_MODE: "demo" }, /^SOC_MODE: must be one of dummy, dry_run, real$/],
  [{ SOC_DATABASE_URL: "mysql://db" }, /^SOC_DATABASE_URL: /],
  [{ SOC_LIMIT_GENERAL_PER_MINUTE: "0" }, /^SOC_LIMIT_GENERAL_PER_MINUTE: /],
  [{ SOC_ADMIN_PASSWORD: "short" }, /^SOC_ADMIN_PASSWORD: (?!.*short)/],
  [{ SOC_TLS_CERT: "/nowhere.pem", SOC_TLS_KEY: "/nowhere.key" }, /^SOC_TLS_CERT: must name a readable file$/],
  [{ SOC_TLS_CERT: import.meta.filename }, /^SOC_TLS_KEY: is required, too$/],
])("refuses %j by the variable's name", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});
