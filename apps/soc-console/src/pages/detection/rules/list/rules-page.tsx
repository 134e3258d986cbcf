import { lazy, Suspense } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges, withChanges } from "../../../../app/changes/use-changes.tsx";
import { saveAddress } from "../../../../app/files/save-address.ts";
import { commandKeys } from "../../../../app/keys/chord-caps.tsx";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Page } from "../../../../app/page/page.tsx";
import { formatQuery } from "../../../../app/server/server.ts";
import { Button } from "../../../../design/button.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { TabLinks } from "../../../../design/tabs.tsx";
import { rulesPhrases } from "../rules-phrases.ts";
import { parseFilter, toQuery } from "./rules-filter.ts";
import { RulesList } from "./rules-list.tsx";
import "../rules.css";

const HealthTab = lazy(async () => ({ default: (await import("../health/health-tab.tsx")).HealthTab }));
const SuppressionsList = lazy(async () => ({
  default: (await import("../suppressions/suppressions-list.tsx")).SuppressionsList,
}));

const ExceptionsList = lazy(async () => ({
  default: (await import("../exceptions/exceptions-list.tsx")).ExceptionsList,
}));

const TABS = ["rules", "suppressions", "exceptions", "health"] as const;

export const RulesPage = withChanges("detections:write", Detections);

function Detections() {
  const words = usePhrases(rulesPhrases);
  const { search, go } = useAddress();
  const tab = TABS.find((name) => name === search.tab) ?? "rules";
  const show = (name: (typeof TABS)[number]) => go("/detections", name === "rules" ? {} : { tab: name });
  return (
    <Page
      title={words.detections}
      isFull
      tabs={
        <TabLinks
          label={words.views}
          items={TABS.map((name) => ({
            label: words[name],
            href: name === "rules" ? "/detections" : `/detections?tab=${name}`,
            isCurrent: name === tab,
            onSelect: () => show(name),
          }))}
        />
      }
      tools={<Tools />}
    >
      <Suspense fallback={<Skeleton rows={8} />}>
        {tab === "rules" && <RulesList />}
        {tab === "suppressions" && <SuppressionsList />}
        {tab === "exceptions" && <ExceptionsList />}
        {tab === "health" && <HealthTab />}
      </Suspense>
    </Page>
  );
}

function Tools() {
  const words = usePhrases(rulesPhrases);
  const { go, search } = useAddress();
  const { mayWrite } = useChanges();
  const create: Command = {
    ...{ id: "rules.new", label: words.newRule, group: words.detections, keys: ["n"] },
    run: () => go("/detections/new"),
  };
  useCommands(mayWrite ? [create] : []);
  // Export the rules that the list shows.
  const { sort: _sort, ...filter } = toQuery(parseFilter(search));
  const exportRules = () => saveAddress(`/detections/rules/export${formatQuery(filter)}`, "rules.yml");
  return (
    <>
      <Button onClick={exportRules}>{words.exportRules}</Button>
      {mayWrite && (
        <>
          <Button onClick={() => go("/detections/import")}>{words.importSigma}</Button>
          <Button kind="primary" {...commandKeys(create)} onClick={() => go("/detections/new")}>
            {words.newRule}
          </Button>
        </>
      )}
    </>
  );
}
