import Type from "typebox";
import { expect, it } from "vitest";
import { readEnvironment } from "./config.ts";

const Environment = Type.Object({
  APP_PORT: Type.Integer({ minimum: 1, maximum: 65_535, default: 8080 }),
  APP_MODE: Type.Enum(["dummy", "real"], { default: "dummy" }),
  APP_DATABASE_URL: Type.Optional(Type.String({ pattern: "^postgres(ql)?://" })),
  APP_FOUR_EYES: Type.Boolean({ default: false }),
  APP_FOLDER: Type.String({ minLength: 1 }),
});

it("fills in defaults and omits optional variables", () => {
  expect(readEnvironment(Environment, { APP_FOLDER: "/var/lib/app" })).toEqual({
    APP_PORT: 8080,
    APP_MODE: "dummy",
    APP_FOUR_EYES: false,
    APP_FOLDER: "/var/lib/app",
  });
});

it("parses numbers and booleans", () => {
  const read = readEnvironment(Environment, { APP_FOLDER: "x", APP_PORT: "443", APP_FOUR_EYES: "true" });
  expect(read).toMatchObject({ APP_PORT: 443, APP_FOUR_EYES: true });
});

it("treats an empty variable as unset", () => {
  expect(readEnvironment(Environment, { APP_FOLDER: "x", APP_PORT: "" }).APP_PORT).toBe(8080);
});

it.each([
  [{ APP_FOLDER: "x", APP_PORT: "eighty" }, "APP_PORT: must be an integer from 1 to 65535"],
  [{ APP_FOLDER: "x", APP_PORT: "0" }, "APP_PORT: must be an integer from 1 to 65535"],
  [{ APP_FOLDER: "x", APP_PORT: "80.5" }, "APP_PORT: must be an integer from 1 to 65535"],
  [{ APP_FOLDER: "x", APP_MODE: "demo" }, "APP_MODE: must be one of dummy, real"],
  [{ APP_FOLDER: "x", APP_FOUR_EYES: "maybe" }, "APP_FOUR_EYES: must be true or false"],
  [{}, "APP_FOLDER: is required"],
])("refuses %j and names the variable", (environment, message) => {
  const [field = ""] = message.split(":");
  const refusal = expect.objectContaining({ kind: "invalid", message, field });
  expect(() => readEnvironment(Environment, environment)).toThrow(refusal);
});

it("never repeats a refused value, which may be a secret", () => {
  const environment = { APP_FOLDER: "x", APP_DATABASE_URL: "mysql://root:hunter2@db/soc" };
  expect(() => readEnvironment(Environment, environment)).toThrow(/^(?!.*hunter2)APP_DATABASE_URL: must be/);
});
