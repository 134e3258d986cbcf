import { useEffect } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../app/app.ts";
import { formatDeviceName } from "../app/language/device-name.ts";
import { directionOf, LANGUAGE_NAMES, otherLanguage } from "../app/language/language.ts";
import { NoticeList } from "../app/status/notice-list.tsx";
import { UnreachableBanner } from "../app/status/unreachable-banner.tsx";
import { IconButton } from "../design/button.tsx";
import { Mark } from "../design/mark.tsx";
import { isGuideDone, needsGuide } from "../pages/welcome/guide.ts";
import { NavigationBar } from "./navigation-bar.tsx";
import { NowBar } from "./now-bar.tsx";
import { CurrentPage } from "./router.tsx";
import { shellPhrases } from "./shell-phrases.ts";
import { Strip } from "./strip.tsx";

/** The frame around every page. */
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
            <bdi>{formatDeviceName(live.settings.view.value?.device_name, useLanguage())}</bdi>
          </p>
          {tokens.token.value === undefined && (
            <IconButton icon="lock" label={phrases.unlock} onClick={() => void tokens.ask("needed")} />
          )}
          <LanguageSwitch />
        </div>
        <Strip />
      </header>
      <UnreachableBanner />
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

/** Opens the guide for a new owner, once. */
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
