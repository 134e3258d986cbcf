import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { ApiClient } from "./api/api-client.ts";
import type { Commands } from "./api/commands.ts";
import type { TokenKeeper } from "./browser/token-keeper.ts";
import type { Language } from "./language/language.ts";
import type { LanguageChoice } from "./language/language-choice.ts";
import type { Translations } from "./language/translations.ts";
import type { Live } from "./live/live.ts";
import type { Reading, Resource } from "./live/resource.ts";
import type { Navigation } from "./navigation.ts";
import type { Notices } from "./notices/notices.ts";
import type { UnlockResult } from "./token/unlock.ts";

/** What every page can use. `main.tsx` assembles it. */
export interface App {
  api: ApiClient;
  live: Live;
  commands: Commands;
  tokens: TokenKeeper;
  /** Finds the device's token by a pairing code or the token itself. */
  unlock: (typed: string) => Promise<UnlockResult>;
  notices: Notices;
  navigation: Navigation;
  choice: LanguageChoice;
}

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("rendered outside the app");
  return app;
}

export function useLanguage(): Language {
  return useApp().choice.language.value;
}

/** The phrases in the current language. */
export function usePhrases<Phrases>(translations: Translations<Phrases>): Phrases {
  return translations[useLanguage()];
}

/** Loads a list while the component is on the page, and follows its changes. */
export function useResource<Value>(resource: Resource<Value>): Reading<Value> {
  useEffect(() => resource.watch(), [resource]);
  return resource.reading.value;
}
