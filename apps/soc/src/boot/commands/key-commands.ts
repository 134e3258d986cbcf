import { type Command, readText, readTexts, type Terminal } from "@kit/config/commands";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import { PERMISSIONS } from "../../foundation/caller/permissions.schema.ts";
import { ApiKeyBody, NewApiKeyBody } from "../../identity/api-keys/api-keys.schema.ts";
import { AS_ADMIN, type Environment, listAll, openService, parseAnswer } from "./service-client.ts";

export interface KeyCommandsDeps {
  environment: Environment;
  terminal: Terminal;
}

const JSON_OPTION = { json: { type: "boolean" } } as const;
const ONE_WORD = { min: 1, max: 1 };
const Answered = Type.Object({}, { additionalProperties: true });

/** Manages API keys through the routes of the service. */
export function createKeyCommands(deps: KeyCommandsDeps): Command[] {
  return [createListCommand(deps), createCreateCommand(deps), createRevokeCommand(deps)];
}

function createListCommand({ environment, terminal }: KeyCommandsDeps): Command {
  return {
    name: "key list",
    takes: "[--json]",
    summary: "Lists the API keys with their scopes.",
    details: AS_ADMIN,
    options: JSON_OPTION,
    async run({ values }) {
      const keys = await listAll(await openService(environment), "/api-keys", ApiKeyBody);
      const lines = keys.map(({ id, name, scopes, revoked, expires_at }) =>
        [id, name, revoked ? "revoked" : `until ${expires_at}`, scopes.join(",")].join("\t"),
      );
      for (const line of values.json === true ? [JSON.stringify(keys, null, 2)] : lines) terminal.write(`${line}\n`);
      return 0;
    },
  };
}

function createCreateCommand({ environment, terminal }: KeyCommandsDeps): Command {
  return {
    name: "key create",
    takes: "<name> --scope <scope>… [--owner <user>] [--expires-at <time>] [--json]",
    summary: "Creates an API key and prints it, only now.",
    details: `Scopes: ${PERMISSIONS.join(", ")}.\n${AS_ADMIN}`,
    options: {
      scope: { type: "string", multiple: true },
      owner: { type: "string" },
      "expires-at": { type: "string" },
      ...JSON_OPTION,
    },
    words: ONE_WORD,
    async run(given) {
      const scopes = readTexts(given, "scope");
      if (scopes.length === 0) throw invalidField("--scope", "is required");
      const [owner, expires_at] = [readText(given, "owner"), readText(given, "expires-at")];
      const { send } = await openService(environment);
      const body = {
        name: given.positionals[0],
        scopes,
        ...(owner !== undefined && { owner }),
        ...(expires_at !== undefined && { expires_at }),
      };
      const created = parseAnswer(NewApiKeyBody, await send("POST", "/api-keys", body), "API key");
      terminal.write(given.values.json === true ? `${JSON.stringify(created, null, 2)}\n` : `${created.key}\n`);
      return 0;
    },
  };
}

function createRevokeCommand({ environment }: KeyCommandsDeps): Command {
  return {
    name: "key revoke",
    takes: "<id>",
    summary: "Ends an API key.",
    details: AS_ADMIN,
    words: ONE_WORD,
    async run({ positionals: [id = ""] }) {
      const { send } = await openService(environment);
      parseAnswer(Answered, await send("DELETE", `/api-keys/${encodeURIComponent(id)}`), `API key ${id}`);
      return 0;
    },
  };
}
