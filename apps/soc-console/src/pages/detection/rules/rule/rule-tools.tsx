import { useQueryClient } from "@tanstack/react-query";
import { Download, EyeOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { saveAddress } from "../../../../app/files/save-address.ts";
import { EndDialog } from "../../../../app/hide/end-dialog.tsx";
import { SuppressDialog } from "../../../../app/hide/suppress-dialog.tsx";
import { commandKeys } from "../../../../app/keys/chord-caps.tsx";
import { CommandButton } from "../../../../app/keys/command-button.tsx";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { Button } from "../../../../design/button.tsx";
import { Menu, type MenuItem } from "../../../../design/menu.tsx";
import { type Rule, ruleKeys, toEtag, useRulesClient } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";
import { rulePhrases } from "./rule-phrases.ts";

/** Actions on a rule: enable or disable, edit, suppress, export, delete. */
export function RuleTools({ rule }: { rule: Rule }) {
  const words = { ...usePhrases(rulesPhrases), ...usePhrases(rulePhrases) };
  const { go } = useAddress();
  const { mayWrite, reason, send } = useChanges();
  const queries = useQueryClient();
  const client = useRulesClient();
  const flip = async () => {
    const changed = await send(() => client.update(rule.id, { enabled: !rule.enabled }, toEtag(rule)), {
      before: rule,
    });
    if (changed) await queries.invalidateQueries({ queryKey: ruleKeys.one(rule.id) });
  };
  const edit: Command = {
    ...{ id: "rule.edit", label: words.edit, group: words.group, keys: ["e"] },
    run: () => go(`/detections/${rule.id}/edit`),
  };
  const flipped: Command = {
    ...{ id: "rule.flip", label: rule.enabled ? words.disable : words.enable, group: words.group, keys: ["⇧E"] },
    ...{ isEnabled: reason === undefined, reason },
    run: flip,
  };
  useCommands(mayWrite ? [edit, flipped] : []);
  return (
    <>
      {mayWrite && (
        <>
          <CommandButton command={flipped} />
          <Button kind="primary" {...commandKeys(edit)} onClick={() => go(`/detections/${rule.id}/edit`)}>
            {words.edit}
          </Button>
        </>
      )}
      <MoreMenu rule={rule} />
    </>
  );
}

function MoreMenu({ rule }: { rule: Rule }) {
  const words = { ...usePhrases(rulesPhrases), ...usePhrases(rulePhrases) };
  const { go } = useAddress();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const maySearch = useMay("siem:search");
  const client = useRulesClient();
  const [dialog, setDialog] = useState<"suppress" | "remove">();
  const remove = async () => {
    if (!(await send(() => client.remove(rule.id), { before: rule }))) return;
    notify({ tone: "ok", text: words.removed });
    go("/detections");
  };
  const items: MenuItem[] = [
    {
      label: words.exportOne,
      icon: <Download />,
      onSelect: () => saveAddress(`/detections/rules/${rule.id}/source`, `${rule.id}.yml`),
    },
    ...(mayWrite && maySearch && reason === undefined
      ? [{ label: words.suppress, icon: <EyeOff />, onSelect: () => setDialog("suppress") }]
      : []),
    ...(mayWrite && reason === undefined
      ? [{ label: words.remove, icon: <Trash2 />, onSelect: () => setDialog("remove") }]
      : []),
  ];
  return (
    <>
      <Menu label={words.more} trigger={<Button>{words.more}</Button>} items={items} />
      {dialog === "suppress" && (
        <SuppressDialog
          ruleId={rule.id}
          name={rule.name}
          criteria={{}}
          onClose={() => setDialog(undefined)}
          onSuppressed={() => go(`/detections/${rule.id}/suppressions`)}
        />
      )}
      {dialog === "remove" && (
        <EndDialog
          title={words.removeTitle}
          text={words.removeText}
          confirm={words.remove}
          cancel={words.cancel}
          onConfirm={() => void remove()}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}
