import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp, usePhrases } from "../app/app.ts";
import { shellPhrases } from "../app/language/shell-phrases.ts";
import { EmptyState, Link, PageTitle } from "../design/layout.tsx";
import { NowPage } from "../pages/now/now-page.tsx";

type Page = FunctionComponent;

/** Each page is loaded when it is first opened; only the first one comes with the frame. */
const PAGES: Readonly<Record<string, () => Promise<Page>>> = {
  "/library": async () => (await import("../pages/library/library-page.tsx")).LibraryPage,
  "/hifz": async () => (await import("../pages/hifz/hifz-page.tsx")).HifzPage,
  "/prayer": async () => (await import("../pages/prayer/prayer-page.tsx")).PrayerPage,
  "/more": async () => (await import("../pages/more/more-page.tsx")).MorePage,
  "/radio": async () => (await import("../pages/radio/radio-page.tsx")).RadioPage,
  "/favorites": async () => (await import("../pages/favorites/favorites-page.tsx")).FavoritesPage,
  "/schedules": async () => (await import("../pages/schedules/schedules-page.tsx")).SchedulesPage,
  "/cards": async () => (await import("../pages/cards/cards-page.tsx")).CardsPage,
  "/welcome": async () => (await import("../pages/welcome/welcome-page.tsx")).WelcomePage,
  "/settings": async () => (await import("./settings-page.tsx")).SettingsPage,
};

/** A page owns what is below its address: `/settings/update` is a matter of the settings. */
function loaderOf(path: string): (() => Promise<Page>) | undefined {
  return PAGES[`/${path.split("/")[1] ?? ""}`];
}

export function CurrentPage() {
  const { navigation } = useApp();
  const path = navigation.path.value;
  const load = loaderOf(path);
  if (path === "/") return <NowPage />;
  return load ? <LazyPage key={path.split("/")[1]} load={load} /> : <NoSuchPage />;
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
