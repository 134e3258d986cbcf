import { useAddress } from "../../../app/address/use-address.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { investigationsPhrases } from "./investigations-phrases.ts";

/** Tabs: agents and their investigations. */
export function AssistantsTabs({ current }: { current: "agents" | "investigations" }) {
  const words = usePhrases(investigationsPhrases);
  const { go } = useAddress();
  const toTab = (name: "agents" | "investigations", href: string) => ({
    label: words[name],
    href,
    isCurrent: current === name,
    onSelect: () => go(href),
  });
  return (
    <TabLinks
      label={words.views}
      items={[toTab("agents", "/agents"), toTab("investigations", "/agents/investigations")]}
    />
  );
}
