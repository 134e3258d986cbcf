import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import { readKey } from "../../foundation/outbound/http-adapters.ts";
import { sha256 } from "../../foundation/records/digest.ts";
import type { OidcProvider, SignInSettings } from "../../identity/module.ts";

/** The values of the environment. */
export interface SignInVariables {
  providersFile: string | undefined;
  isLocalOff: boolean;
  breakGlassUser: string;
  publicUrl?: string | undefined;
  secondFactorRoles?: readonly Role[];
  isStepUpOn?: boolean;
  /** The schema of the routes already requires 8. */
  minPasswordLength?: number;
}

const VARIABLE = "SOC_OIDC_PROVIDERS";
const MAX_PROVIDERS = 20;
const MAX_RIGHTS = 1000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const ProviderList = Type.Array(
  Type.Object(
    {
      id: Type.String({ pattern: "^[a-z][a-z0-9-]{0,49}$" }),
      label: Type.String({ minLength: 1, maxLength: 100 }),
      issuer: Type.String({ pattern: "^https?://[^?#\\s]+$", maxLength: 2000 }),
      client_id: Type.String({ minLength: 1, maxLength: 500 }),
      client_secret_file: Type.Optional(Type.String({ minLength: 1 })),
      scim_token_file: Type.Optional(Type.String({ minLength: 1 })),
      scopes: Type.Optional(Type.Array(Type.String({ pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$" }), { maxItems: 20 })),
      username_claim: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      groups_claim: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      second_factor: Type.Optional(Type.Enum(["provider", "here"])),
      rights: Type.Array(
        Type.Object(
          {
            group: Type.String({ minLength: 1, maxLength: 500 }),
            role: Type.Enum([...ROLES]),
            sites: Type.Optional(
              Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 }),
            ),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: MAX_RIGHTS },
      ),
    },
    { additionalProperties: false },
  ),
  { maxItems: MAX_PROVIDERS },
);

/** Reads the operator's providers. Errors name the variable. */
export async function readSignInSettings(variables: SignInVariables): Promise<SignInSettings> {
  const { providersFile, isLocalOff, breakGlassUser, publicUrl } = variables;
  const { secondFactorRoles = [], isStepUpOn = false, minPasswordLength = 8 } = variables;
  const providers = providersFile === undefined ? [] : await readProviders(providersFile);
  if (providers.length > 0 && publicUrl === undefined) {
    throw invalidField("SOC_PUBLIC_URL", `required when ${VARIABLE} is set: providers redirect browsers to it`);
  }
  if (isLocalOff && providers.length === 0) {
    throw invalidField("SOC_LOCAL_SIGN_IN", `must be on unless ${VARIABLE} names a provider`);
  }
  return {
    providers,
    breakGlassUser: isLocalOff ? breakGlassUser : undefined,
    secondFactorRoles,
    isStepUpOn,
    minPasswordLength,
  };
}

async function readProviders(path: string): Promise<OidcProvider[]> {
  const listed = await readList(path);
  const ids = listed.map(({ id }) => id);
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
  if (duplicate !== undefined) throw invalidField(VARIABLE, `'${duplicate}' is named twice`);
  const providers = await Promise.all(
    listed.map(async ({ client_secret_file: file, scim_token_file: tokenFile, ...provider }) => {
      requireEncryption(provider.id, provider.issuer);
      const field = `${VARIABLE}: client_secret_file of '${provider.id}'`;
      const secret = file === undefined ? undefined : await readKey(field, resolve(dirname(path), file), 1);
      return {
        scopes: ["openid", "profile", "email"],
        username_claim: "preferred_username",
        groups_claim: "groups",
        second_factor: "provider" as const,
        ...provider,
        client_secret: secret?.toString("utf8"),
        scim_token_hash: await readTokenHash(path, provider.id, tokenFile),
      };
    }),
  );
  refuseSharedTokens(providers);
  return providers;
}

async function readTokenHash(path: string, id: string, file: string | undefined): Promise<Uint8Array | undefined> {
  if (file === undefined) return undefined;
  return sha256(await readKey(`${VARIABLE}: scim_token_file of '${id}'`, resolve(dirname(path), file)));
}

/** The token identifies the provider that sends a request. */
function refuseSharedTokens(providers: readonly OidcProvider[]): void {
  const hashes = providers.map(({ scim_token_hash: hash }) => hash && Buffer.from(hash).toString("hex"));
  const shared = providers.find((_, at) => hashes[at] !== undefined && hashes.indexOf(hashes[at]) !== at);
  if (shared) throw invalidField(VARIABLE, `scim_token_file of '${shared.id}' contains the token of another provider`);
}

/** An unencrypted response proves nothing. */
function requireEncryption(id: string, issuer: string): void {
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "https:" || LOOPBACK.test(hostname)) return;
  throw invalidField(VARIABLE, `issuer of '${id}' must begin with https://`);
}

async function readList(path: string) {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw invalidField(VARIABLE, "must name a readable JSON file", { cause });
  }
  if (Value.Check(ProviderList, read)) return read;
  const [problem] = Value.Errors(ProviderList, read);
  throw invalidField(VARIABLE, `${problem?.instancePath || "the list"} ${problem?.message ?? "is not valid"}`);
}
