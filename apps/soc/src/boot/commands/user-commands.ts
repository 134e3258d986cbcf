import { readFile } from "node:fs/promises";
import type { Ids } from "@kit/clock/ids";
import { type Command, type CommandArguments, readText, type Terminal } from "@kit/config/commands";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import { UserBody } from "../../identity/users/users.schema.ts";
import { AS_ADMIN, type Environment, listAll, openService, parseAnswer } from "./service-client.ts";

export interface UserCommandsDeps {
  environment: Environment;
  terminal: Terminal;
  ids: Pick<Ids, "secret">;
}

const ONE_WORD = { min: 1, max: 1 };
const PASSWORD_FILE = { "password-file": { type: "string" } } as const;
const ROLE_LIST = `Roles: ${ROLES.join(", ")}.\n${AS_ADMIN}`;
const PASSWORD_BYTES = 15;
const Answered = Type.Object({}, { additionalProperties: true });

/** Manages users through the routes of the service: every change is audited as the administrator's. */
export function createUserCommands(deps: UserCommandsDeps): Command[] {
  return [createListCommand(deps), createAddCommand(deps), createPasswordCommand(deps), ...createChangeCommands(deps)];
}

function createListCommand({ environment, terminal }: UserCommandsDeps): Command {
  return {
    name: "user list",
    takes: "[--json]",
    summary: "Lists the users with their roles.",
    details: AS_ADMIN,
    options: { json: { type: "boolean" } },
    async run({ values }) {
      const users = await listAll(await openService(environment), "/users", UserBody);
      const lines = users.map(({ username, role, disabled }) => [username, role, disabled ? "disabled" : "active"]);
      const text = values.json === true ? [JSON.stringify(users, null, 2)] : lines.map((line) => line.join("\t"));
      for (const line of text) terminal.write(`${line}\n`);
      return 0;
    },
  };
}

function createAddCommand({ environment, terminal, ids }: UserCommandsDeps): Command {
  return {
    name: "user add",
    takes: "<name> --role <role> [--email <address>] [--password-file <file>]",
    summary: "Adds a user. Without a file it chooses a password and prints it.",
    details: ROLE_LIST,
    options: { role: { type: "string" }, email: { type: "string" }, ...PASSWORD_FILE },
    words: ONE_WORD,
    async run(given) {
      const [username] = given.positionals;
      const [role, email] = [readText(given, "role"), readText(given, "email")];
      if (role === undefined) throw invalidField("--role", "is required");
      const { password, shown } = await choosePassword(given, ids);
      const { send } = await openService(environment);
      const body = { username, role, password, ...(email !== undefined && { email }) };
      parseAnswer(Answered, await send("POST", "/users", body), `user ${username}`);
      terminal.write(shown);
      return 0;
    },
  };
}

function createPasswordCommand({ environment, terminal, ids }: UserCommandsDeps): Command {
  return {
    name: "user password",
    takes: "<name> [--password-file <file>]",
    summary: "Replaces a password. Without a file it chooses one and prints it.",
    details: AS_ADMIN,
    options: PASSWORD_FILE,
    words: ONE_WORD,
    async run(given) {
      const { password, shown } = await choosePassword(given, ids);
      await changeUser(environment, given.positionals[0], { password });
      terminal.write(shown);
      return 0;
    },
  };
}

function createChangeCommands({ environment }: UserCommandsDeps): Command[] {
  const change = async (username: string | undefined, changed: object) => {
    await changeUser(environment, username, changed);
    return 0;
  };
  return [
    {
      name: "user role",
      takes: "<name> <role>",
      summary: "Gives a user another role.",
      details: ROLE_LIST,
      words: { min: 2, max: 2 },
      run: ({ positionals: [username, role] }) => change(username, { role }),
    },
    {
      name: "user disable",
      takes: "<name>",
      summary: "Ends the access of a user.",
      details: AS_ADMIN,
      words: ONE_WORD,
      run: ({ positionals: [username] }) => change(username, { disabled: true }),
    },
    {
      name: "user enable",
      takes: "<name>",
      summary: "Gives a disabled user access again.",
      details: AS_ADMIN,
      words: ONE_WORD,
      run: ({ positionals: [username] }) => change(username, { disabled: false }),
    },
  ];
}

/** A generated password is shown once, on standard output. */
async function choosePassword(given: CommandArguments, ids: UserCommandsDeps["ids"]) {
  const file = readText(given, "password-file");
  if (file !== undefined) return { password: (await readFile(file, "utf8")).trim(), shown: "" };
  const password = ids.secret(PASSWORD_BYTES).toString("base64url");
  return { password, shown: `${password}\n` };
}

async function changeUser(environment: Environment, username: string | undefined, changed: object): Promise<void> {
  const { send } = await openService(environment);
  const path = `/users/${encodeURIComponent(username ?? "")}`;
  parseAnswer(Answered, await send("PATCH", path, changed), `user ${username}`);
}
