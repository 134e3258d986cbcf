import type { TokenKeeper, TokenQuestion } from "../token/token-keeper.ts";
import { ApiError } from "./api-client.ts";

/** The owner did not give the token; nothing was asked of the device. */
export class NotUnlocked extends Error {}

export interface CommandsDeps {
  tokens: Pick<TokenKeeper, "token" | "ask" | "forget">;
  /** Tells the owner what the device refused. */
  tell: (error: ApiError) => void;
}

export interface Commands {
  /** Does something that needs the token: asks for it first, and again when it is wrong. Throws what remains. */
  unlocked: <Result>(request: () => Promise<Result>) => Promise<Result>;
  /** The same for a button: a refusal is told, and the answer is whether it was done. */
  run: (request: () => Promise<unknown>) => Promise<boolean>;
}

export function createCommands({ tokens, tell }: CommandsDeps): Commands {
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
        if (error instanceof ApiError) tell(error);
        else if (!(error instanceof NotUnlocked)) throw error;
        return false;
      }
    },
  };
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
