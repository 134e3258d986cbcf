import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/app.ts";
import { Overview } from "../pages/settings/overview.tsx";
import "../app/settings/settings.css";

type Load = () => Promise<FunctionComponent>;

/** By the part of the address behind `/settings/`. */
const SUBPAGES: Readonly<Record<string, Load>> = {
  wifi: async () => (await import("../pages/wifi/wifi-page.tsx")).WifiPage,
  sound: async () => (await import("../pages/sound/sound-page.tsx")).SoundPage,
  time: async () => (await import("../pages/time/time-page.tsx")).TimePage,
  language: async () => (await import("../pages/language/language-page.tsx")).LanguagePage,
  update: async () => (await import("../pages/firmware/update-page.tsx")).UpdatePage,
  diagnostics: async () => (await import("../pages/system/diagnostics-page.tsx")).DiagnosticsPage,
  backup: async () => (await import("../pages/backup/backup-page.tsx")).BackupPage,
  install: async () => (await import("../pages/install/install-page.tsx")).InstallPage,
  reset: async () => (await import("../pages/reset/reset-page.tsx")).ResetPage,
};

export function SettingsPage() {
  const { navigation } = useApp();
  const name = navigation.path.value.split("/")[2] ?? "";
  const load = SUBPAGES[name];
  return load ? <LazySubpage key={name} load={load} /> : <Overview />;
}

function LazySubpage({ load }: { load: Load }) {
  const [loaded, setLoaded] = useState<{ Page: FunctionComponent }>();
  useEffect(() => {
    void load().then((Page) => setLoaded({ Page }));
  }, [load]);
  return loaded ? <loaded.Page /> : <div class="waiting waiting-tall" aria-busy="true" />;
}
