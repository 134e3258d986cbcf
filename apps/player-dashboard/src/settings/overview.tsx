import type { SystemBody } from "@player/service/contract/system";
import { useMemo } from "preact/hooks";
import { PageTitle } from "../controls/layout.tsx";
import { createResource, lastOf } from "../live/resource.ts";
import { useApp, usePhrases, useResource } from "../shell/app.ts";
import { SectionList } from "./section-list.tsx";
import { settingsPhrases } from "./settings-phrases.ts";
import { Status } from "./status.tsx";

/** How the device is, and then what can be changed. */
export function Overview() {
  const { api, live } = useApp();
  const { title } = usePhrases(settingsPhrases);
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
