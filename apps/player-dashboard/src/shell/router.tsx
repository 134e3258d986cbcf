import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp, usePhrases } from "../app/app.ts";
import { EmptyState, Link, PageTitle } from "../design/layout.tsx";
import { NowPage } from "../pages/now/now-page.tsx";
import { shellPhrases } from "./shell-phrases.ts";

type Page = FunctionComponent;

/** Each page is loaded when it is first opened; only the first one comes with the frame. */
const PAGES: Readonly<Record<string, () => Promise<Page>>> = {
  "/library": async () => (await import("../pages/library/library-page.tsx")).LibraryPage,
  "/uploads": async () => (await import("../pages/uploads/uploads-page.tsx")).UploadsPage,
  "/hifz": async () => (await import("../pages/hifz/hifz-page.tsx")).HifzPage,
  "/prayer": async () => (await import("../pages/prayer/prayer-page.tsx")).PrayerPage,
  "/more": async () => (await import("../pages/more/more-page.tsx")).MorePage,
  "/radio": async () => (await import("../pages/radio/radio-page.tsx")).RadioPage,
  "/favorites": async () => (await import("../pages/favorites/favorites-page.tsx")).FavoritesPage,
  "/schedules": async () => (await import("../pages/schedules/schedules-page.tsx")).SchedulesPage,
  "/cards": async () => (await import("../pages/cards/cards-page.tsx")).CardsPage,
  "/welcome": async () => (await import("../pages/welcome/welcome-page.tsx")).WelcomePage,
  "/settings": async () => (await import("../pages/settings/settings-page.tsx")).SettingsPage,
  "/settings/wifi": async () => (await import("../pages/wifi/wifi-page.tsx")).WifiPage,
  "/settings/sound": async () => (await import("../pages/sound/sound-page.tsx")).SoundPage,
  "/settings/time": async () => (await import("../pages/time/time-page.tsx")).TimePage,
  "/settings/language": async () => (await import("../pages/language/language-page.tsx")).LanguagePage,
  "/settings/update": async () => (await import("../pages/firmware/update-page.tsx")).UpdatePage,
  "/settings/diagnostics": async () => (await import("../pages/system/diagnostics-page.tsx")).DiagnosticsPage,
  "/settings/backup": async () => (await import("../pages/backup/backup-page.tsx")).BackupPage,
  "/settings/monitoring": async () => (await import("../pages/monitoring/monitoring-page.tsx")).MonitoringPage,
  "/settings/install": async () => (await import("../pages/install/install-page.tsx")).InstallPage,
  "/settings/reset": async () => (await import("../pages/reset/reset-page.tsx")).ResetPage,
};

/** The longest listed address that is a prefix of `path`: a page owns the addresses below its own. */
function findPageAddress(path: string): string | undefined {
  const [, first, second] = path.split("/");
  return [`/${first}/${second}`, `/${first}`].find((address) => Object.hasOwn(PAGES, address));
}

export function CurrentPage() {
  const { navigation } = useApp();
  const path = navigation.path.value;
  if (path === "/") return <NowPage />;
  const address = findPageAddress(path);
  const load = address === undefined ? undefined : PAGES[address];
  return load ? <LazyPage key={address} load={load} /> : <NoSuchPage />;
}

function LazyPage({ load }: { load: () => Promise<Page> }) {
  const [loaded, setLoaded] = useState<{ Page: Page }>();
  useEffect(() => {
    void load().then((Page) => setLoaded({ Page }));
  }, [load]);
  return loaded ? <loaded.Page /> : <div class="waiting waiting-tall" aria-busy="true" />;
}

function NoSuchPage() {
  const phrases = usePhrases(shellPhrases);
  return (
    <>
      <PageTitle>{phrases.notFound}</PageTitle>
      <EmptyState icon="search" title={phrases.notFoundHint}>
        <Link to="/" class="button button-primary">
          {phrases.toNow}
        </Link>
      </EmptyState>
    </>
  );
}
