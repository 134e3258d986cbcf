import { useAddress } from "../../../app/address/use-address.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Menu } from "../../../design/menu.tsx";
import { GROUP_BUTTON, SORT_BUTTON } from "./alerts-commands.ts";
import { alertsPhrases } from "./alerts-phrases.ts";
import { type AlertsState, GROUPINGS, SORTS } from "./alerts-state.ts";

/** Sort and group menus. A second group becomes the second level. */
export function AlertsTools({ state, isGrouped }: { state: AlertsState; isGrouped: boolean }) {
  const words = usePhrases(alertsPhrases);
  const { change } = useAddress();
  const [first] = state.by;
  const names = state.by.map((name) => words.groupings[name]);
  const shown = names.length === 2 ? fill(words.thenBy, { first: names[0] ?? "", second: names[1] ?? "" }) : names[0];
  const choose = (by: string | undefined) => change({ by }, { isStep: true });
  const groups = [
    ...GROUPINGS.map((name) => ({ label: words.groupings[name], onSelect: () => choose(name) })),
    ...(first && state.by.length === 1
      ? GROUPINGS.filter((name) => name !== first).map((name) => ({
          label: fill(words.thenBy, { first: words.groupings[first], second: words.groupings[name] }),
          onSelect: () => choose(`${first},${name}`),
        }))
      : []),
    ...(isGrouped ? [{ label: words.noGroups, onSelect: () => choose(undefined) }] : []),
  ];
  return (
    <>
      <Menu
        label={words.sortBy}
        trigger={
          <Button id={SORT_BUTTON} kind="ghost">
            {words.sorts[state.sort]}
          </Button>
        }
        items={SORTS.map((sort) => ({
          label: words.sorts[sort],
          onSelect: () => change({ sort: sort === "-last_seen" ? undefined : sort }, { isStep: true }),
        }))}
      />
      <Menu
        label={words.groupBy}
        trigger={
          <Button id={GROUP_BUTTON} kind="ghost">
            {shown ?? words.groupBy}
          </Button>
        }
        items={groups}
      />
    </>
  );
}
