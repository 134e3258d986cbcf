import type { SystemBody } from "@player/service/contract/system";
import { useMemo } from "preact/hooks";
import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { createResource, lastOf } from "../../app/live/resource.ts";
import { PageTitle } from "../../design/layout.tsx";
import { overviewPhrases } from "./overview-phrases.ts";
import { SectionList } from "./section-list.tsx";
import { Status } from "./status.tsx";
import "./settings.css";

/** The device's status, then the settings. */
export function SettingsPage() {
  const { api, live } = useApp();
  const { title } = usePhrases(overviewPhrases);
  const resource = useMemo(() => createResource(() => api.get<SystemBody>("/system"), live.bootId), [api, live]);
  const system = lastOf(useResource(resource));
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <div class="panels">
        <Status system={system} />
        <SectionList system={system} />
      </div>
    </>
  );
}
