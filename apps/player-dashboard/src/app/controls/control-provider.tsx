import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { ControlContext } from "../../design/control-context.ts";
import { useApp, useLanguage, usePhrases } from "../app.ts";
import { formatDigits } from "../language/times.ts";
import { controlPhrases } from "./control-phrases.ts";

/** Provides the controls with their texts, and updates them with the language and the token. */
export function ControlProvider({ children }: { children: ComponentChildren }) {
  const { navigation, tokens } = useApp();
  const language = useLanguage();
  const words = usePhrases(controlPhrases);
  const isLocked = tokens.token.value === undefined;
  const surroundings = useMemo(
    () => ({
      words,
      isLocked,
      formatDigits: (value: number) => formatDigits(String(value), language),
      go: navigation.go,
    }),
    [words, isLocked, language, navigation],
  );
  return <ControlContext.Provider value={surroundings}>{children}</ControlContext.Provider>;
}
