import { useMemo } from "react";
import { useAddress } from "../app/address/use-address.ts";
import { useApp, useMe } from "../app/context/app-context.ts";
import type { Command } from "../app/keys/commands.ts";
import { useLanguage, usePhrases } from "../app/language/language-context.tsx";
import { meets } from "../app/session/session.ts";
import { switchTheme } from "../app/theme/theme.ts";
import { useTime } from "../app/time/time-context.tsx";
import { NAV_ITEMS } from "./navigation.ts";
import { shellPhrases } from "./shell-phrases.ts";

/** Commands that work on every page. */
export function useShellCommands(foldRail: () => void, toggleChat: () => void): readonly Command[] {
  const words = usePhrases(shellPhrases);
  const me = useMe();
  const { language, choose } = useLanguage();
  const { session, server } = useApp();
  const { go } = useAddress();
  const { toggleZone } = useTime();
  return useMemo<readonly Command[]>(() => {
    const places = NAV_ITEMS.filter(({ needs }) => meets(me, needs));
    const signOut = async () => {
      const { end_session_url } = await server.post<{ end_session_url: string | null }>("/auth/oidc/logout");
      session.leave();
      if (end_session_url) location.assign(end_session_url);
    };
    return [
      { id: "rail", label: words.foldRail, group: words.view, keys: ["["], run: foldRail },
      { id: "chat", label: words.chat, group: words.view, keys: ["\\"], run: toggleChat },
      { id: "zone", label: words.zone, group: words.view, keys: ["z"], run: toggleZone },
      { id: "theme", label: words.theme, group: words.view, run: switchTheme },
      {
        id: "language",
        label: words.language,
        group: words.view,
        run: () => choose(language === "ar" ? "en" : "ar"),
      },
      { id: "settings", label: words.yourSettings, group: words.account, run: () => go("/settings/me") },
      { id: "sign-out", label: words.signOut, group: words.account, run: signOut },
      ...places.map(({ name, path, letter }) => ({
        id: `go-${name}`,
        label: words.places[name],
        group: words.goTo,
        keys: [`g ${letter}`],
        run: () => go(path),
      })),
    ];
  }, [words, me, language, choose, session, server, go, toggleZone, foldRail, toggleChat]);
}
