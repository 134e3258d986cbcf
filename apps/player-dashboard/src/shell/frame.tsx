import { useEffect } from "preact/hooks";
import { IconButton } from "../controls/button.tsx";
import { directionOf, LANGUAGE_NAMES, otherLanguage } from "../language/language.ts";
import { Mark } from "../mark.tsx";
import { NowBar } from "../now/now-bar.tsx";
import { isGuideDone, needsGuide } from "../welcome/guide.ts";
import { useApp, useLanguage, usePhrases } from "./app.ts";
import { AwayBanner } from "./away-banner.tsx";
import { NavigationBar } from "./navigation-bar.tsx";
import { NoticeList } from "./notice-list.tsx";
import { CurrentPage } from "./pages.tsx";
import { shellPhrases } from "./shell-phrases.ts";
import { Strip } from "./strip.tsx";

/** What stands around every page. */
export function Frame() {
  const { live, tokens, navigation } = useApp();
  const phrases = usePhrases(shellPhrases);
  const isNow = navigation.path.value === "/";
  useGuide();
  return (
    <div class="frame">
      <a class="skip" href="#page">
        {phrases.skip}
      </a>
      <header class="head">
        <div class="top">
          <Mark />
          <p class="product">
            <bdi>{live.settings.view.value?.device_name ?? "Manara"}</bdi>
          </p>
          {tokens.token.value === undefined && (
            <IconButton icon="lock" label={phrases.unlock} onClick={() => void tokens.ask("needed")} />
          )}
          <LanguageSwitch />
        </div>
        <Strip />
      </header>
      <AwayBanner />
      <main id="page" class="content" tabIndex={-1}>
        <CurrentPage />
      </main>
      <footer class="bottom">
        <NoticeList />
        {!isNow && <NowBar />}
        <NavigationBar />
      </footer>
    </div>
  );
}

/** Leads a newcomer to the guide, once. */
function useGuide(): void {
  const { live, navigation } = useApp();
  const isNeeded = needsGuide(live.prayer.value, isGuideDone());
  useEffect(() => {
    if (isNeeded && navigation.path.peek() === "/") navigation.go("/welcome");
  }, [isNeeded, navigation]);
}

function LanguageSwitch() {
  const { choice } = useApp();
  const other = otherLanguage(useLanguage());
  return (
    <button
      type="button"
      class="button button-quiet"
      lang={other}
      dir={directionOf(other)}
      onClick={() => choice.speak(other)}
    >
      {LANGUAGE_NAMES[other]}
    </button>
  );
}
