import { useEffect, useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { zoneNear } from "../../app/places/places.ts";
import { usePlaces } from "../../app/places/use-places.ts";
import { useChange } from "../../app/settings/use-change.ts";
import { Button } from "../../design/button.tsx";
import { SelectField } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { RuleForm } from "./rule-form.tsx";
import { timePhrases } from "./time-phrases.ts";
import { findShownZone, type ZoneRule, zoneLabel, zoneOptions } from "./zone-options.ts";

/** No other country goes by it; its clock in Ramadan follows the moon, which no rule can say. */
const MOROCCO = "<+01>-1";

interface Zones {
  list: readonly ZoneRule[];
  /** The browser's own zone, if it is in the list. */
  own: ZoneRule | undefined;
}

/** The list is a separate chunk, loaded on demand. */
async function loadZones(): Promise<Zones> {
  const { listZones, findZoneRule, readBrowserZone } = await import("../../app/places/zones.ts");
  const name = readBrowserZone();
  const rule = findZoneRule(name);
  return { list: listZones(), own: rule === undefined ? undefined : { name, rule } };
}

export function ZonePanel({ timezone }: { timezone: string }) {
  const { notices } = useApp();
  const phrases = usePhrases(timePhrases);
  const change = useChange();
  const placeZone = usePlaceZone();
  const [zones, setZones] = useState<Zones>();
  const [chosen, setChosen] = useState<string>();
  useEffect(() => {
    void loadZones().then(setZones);
  }, []);

  async function go(rule: string | undefined, name?: string): Promise<void> {
    if (rule === undefined) return;
    setChosen(name);
    if (await change({ timezone: rule }, "/settings/timezone")) notices.show("done", phrases.zoneSaved);
  }

  if (!zones) return <div class="waiting waiting-tall" aria-busy="true" />;
  const shown = findShownZone(timezone, zones.list, [chosen, placeZone, zones.own?.name]);
  const { own } = zones;
  return (
    <Panel title={phrases.zone}>
      <div class="stack">
        <SelectField
          label={phrases.zoneLabel}
          hint={phrases.zoneHint}
          value={shown ?? ""}
          options={[
            ...(shown === undefined ? [{ value: "", label: fill(phrases.ownRule, { rule: timezone }) }] : []),
            ...zoneOptions(zones.list),
          ]}
          onChange={(name) => void go(zones.list.find((zone) => zone.name === name)?.rule, name)}
        />
        {timezone === MOROCCO && <p class="row-aside">{phrases.moroccoHint}</p>}
        {own && own.rule !== timezone && (
          <div class="actions">
            <Button icon="phone" needsToken onClick={() => void go(own.rule, own.name)}>
              {fill(phrases.usePhoneZone, { zone: zoneLabel(own.name) })}
            </Button>
          </div>
        )}
        <RuleForm rule={timezone} onUse={go} />
      </div>
    </Panel>
  );
}

/** The zone of the place that prayer times are computed for. */
function usePlaceZone(): string | undefined {
  const { live } = useApp();
  const places = usePlaces();
  const { lat, lng } = live.prayer.value?.config ?? {};
  return places && lat !== undefined && lng !== undefined ? zoneNear(places, { lat, lng }, "") : undefined;
}
