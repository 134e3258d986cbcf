import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { lastOf } from "../../app/live/resource.ts";
import { PageTitle } from "../../design/layout.tsx";
import { overviewPhrases } from "./overview-phrases.ts";
import { SectionList } from "./section-list.tsx";
import { Status } from "./status.tsx";
import "./settings.css";

/** The device's status, then the settings. */
export function SettingsPage() {
  const { live } = useApp();
  const { title } = usePhrases(overviewPhrases);
  const { more } = usePhrases(commonPhrases);
  const system = lastOf(useResource(live.system));
  return (
    <>
      <PageTitle back={{ to: "/more", label: more }}>{title}</PageTitle>
      <div class="panels">
        <Status system={system} />
        <SectionList system={system} />
      </div>
    </>
  );
}
