import { type ReadonlySignal, signal } from "@preact/signals";
import { readStored, writeStored } from "./browser-storage.ts";

export interface TokenKeeper {
  token: ReadonlySignal<string | undefined>;
  /** The question that is open now, if any. */
  question: ReadonlySignal<TokenQuestion | undefined>;
  /** Asks the owner for the token. Resolves to false when the owner declines. */
  ask: (why: TokenQuestion["why"]) => Promise<boolean>;
  /** The owner's answer; undefined when the owner declines. */
  answer: (token: string | undefined) => void;
  forget: () => void;
}

export interface TokenQuestion {
  /** `refused`: the stored token is no longer valid. */
  why: "needed" | "refused";
}

const STORAGE_KEY = "token";
const FORM = /^[0-9a-f]{64}$/;

/** Parses a typed or pasted token, or a link that ends with it; undefined when it is neither. */
export function readToken(typed: string): string | undefined {
  const token = typed
    .slice(typed.lastIndexOf("#") + 1)
    .replace(/\s/g, "")
    .toLowerCase();
  return FORM.test(token) ? token : undefined;
}

/** Stores the device's token in this browser, and asks for it when it is needed. */
export function createTokenKeeper(fromAddress: string | undefined): TokenKeeper {
  const token = signal(fromAddress ?? readStored(STORAGE_KEY));
  const question = signal<TokenQuestion | undefined>(undefined);
  let waiting: ((isThere: boolean) => void)[] = [];
  if (fromAddress) writeStored(STORAGE_KEY, fromAddress);

  function keep(value: string | undefined): void {
    token.value = value;
    writeStored(STORAGE_KEY, value);
  }

  return {
    token,
    question,
    ask(why) {
      question.value = { why };
      return new Promise((resolve) => waiting.push(resolve));
    },
    answer(value) {
      if (value !== undefined) keep(value);
      question.value = undefined;
      const asked = waiting;
      waiting = [];
      for (const resolve of asked) resolve(value !== undefined);
    },
    forget: () => keep(undefined),
  };
}
