import type { TokenKeeper, TokenQuestion } from "../browser/token-keeper.ts";
import { ApiError } from "./api-client.ts";

/** The owner did not enter the token, so no request was sent. */
export class NotUnlocked extends Error {}

export interface CommandsDeps {
  tokens: Pick<TokenKeeper, "token" | "ask" | "forget">;
  /** Reports to the owner what the device refused. */
  report: (error: ApiError) => void;
}

export interface Commands {
  /** Runs a request that needs the token: asks for it first, and again when it is wrong. Throws any other failure. */
  unlocked: <Result>(request: () => Promise<Result>) => Promise<Result>;
  /** The same for a button: reports a refusal, and returns whether the request succeeded. */
  run: (request: () => Promise<unknown>) => Promise<boolean>;
}

export function createCommands({ tokens, report }: CommandsDeps): Commands {
  async function ask(why: TokenQuestion["why"]): Promise<void> {
    if (!(await tokens.ask(why))) throw new NotUnlocked();
  }

  async function unlocked<Result>(request: () => Promise<Result>): Promise<Result> {
    if (tokens.token.value === undefined) await ask("needed");
    try {
      return await request();
    } catch (error) {
      if (!isRefusedToken(error)) throw error;
      tokens.forget();
      await ask("refused");
      return request();
    }
  }

  return {
    unlocked,
    async run(request) {
      try {
        await unlocked(request);
        return true;
      } catch (error) {
        if (error instanceof ApiError) report(error);
        else if (!(error instanceof NotUnlocked)) throw error;
        return false;
      }
    },
  };
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
