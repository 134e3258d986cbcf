import { createHash } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readSignInSettings } from "./sign-in-files.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soc-sign-in-"));
  await writeFile(join(folder, "secret"), "s3cret\n", { mode: 0o600 });
  await writeFile(join(folder, "scim-token"), `${TOKEN}\n`, { mode: 0o600 });
  await writeFile(join(folder, "open-secret"), "s3cret\n");
  await chmod(join(folder, "open-secret"), 0o644);
});
afterAll(() => rm(folder, { recursive: true }));

const TOKEN = "a token of more than thirty-two bytes";
const PROVIDER = {
  id: "entra",
  label: "Company",
  issuer: "https://login.example/tenant/v2.0",
  client_id: "soc",
  rights: [{ group: "analysts", role: "tier2" }],
};
const VARIABLES = { isLocalOff: false, breakGlassUser: "admin", publicUrl: "https://soc.example" };

async function read(listed: unknown, variables: object = {}) {
  const providersFile = join(folder, "providers.json");
  await writeFile(providersFile, typeof listed === "string" ? listed : JSON.stringify(listed));
  return readSignInSettings({ providersFile, ...VARIABLES, ...variables });
}

it("reads providers with their secrets and the usual claims", async () => {
  const { providers, breakGlassUser } = await read([{ ...PROVIDER, client_secret_file: "secret" }]);
  expect(providers).toEqual([
    {
      ...PROVIDER,
      client_secret: "s3cret",
      scopes: ["openid", "profile", "email"],
      username_claim: "preferred_username",
      groups_claim: "groups",
      second_factor: "provider",
      scim_token_hash: undefined,
    },
  ]);
  expect(breakGlassUser).toBeUndefined();
});

it("keeps only the hash of the token with which a provider manages users", async () => {
  const { providers } = await read([{ ...PROVIDER, scim_token_file: "scim-token" }]);
  expect(Buffer.from(providers[0]?.scim_token_hash ?? [])).toEqual(createHash("sha256").update(TOKEN).digest());
  expect(JSON.stringify(providers)).not.toContain(TOKEN);
});

it("reads the break-glass administrator if passwords are disabled", async () => {
  expect((await read([PROVIDER], { isLocalOff: true })).breakGlassUser).toBe("admin");
  await expect(read([], { isLocalOff: true })).rejects.toThrow(/^SOC_LOCAL_SIGN_IN: must be on unless/);
});

it.each([
  ["no JSON", "{", /^SOC_OIDC_PROVIDERS: must name a readable JSON file/],
  ["no list", {}, /^SOC_OIDC_PROVIDERS: /],
  ["an unknown field", [{ ...PROVIDER, secret: "x" }], /^SOC_OIDC_PROVIDERS: /],
  ["an unknown role", [{ ...PROVIDER, rights: [{ group: "a", role: "root" }] }], /^SOC_OIDC_PROVIDERS: \/0\/rights/],
  ["no rights", [{ ...PROVIDER, rights: [] }], /^SOC_OIDC_PROVIDERS: \/0\/rights/],
  ["an id twice", [PROVIDER, PROVIDER], /^SOC_OIDC_PROVIDERS: 'entra' is named twice/],
  [
    "a provider in the clear",
    [{ ...PROVIDER, issuer: "http://login.example" }],
    /issuer of 'entra' must begin with https/,
  ],
  [
    "a secret that others can read",
    [{ ...PROVIDER, client_secret_file: "open-secret" }],
    /accessible to its owner only/,
  ],
  ["a short token", [{ ...PROVIDER, scim_token_file: "secret" }], /scim_token_file of 'entra': must hold at least 32/],
  [
    "a token of two providers",
    [
      { ...PROVIDER, scim_token_file: "scim-token" },
      { ...PROVIDER, id: "okta", scim_token_file: "scim-token" },
    ],
    /scim_token_file of 'okta' contains the token of another provider/,
  ],
])("refuses %s", async (_name, listed, why) => {
  await expect(read(listed)).rejects.toThrow(why);
});

it("requires the address to which providers redirect browsers", async () => {
  await expect(read([PROVIDER], { publicUrl: undefined })).rejects.toThrow(/^SOC_PUBLIC_URL: required/);
});
