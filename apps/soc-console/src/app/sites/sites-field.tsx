import { Checkbox } from "../../design/field.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { sitesFieldPhrases } from "./sites-phrases.ts";
import { useSites } from "./use-sites.ts";
import "./sites.css";

export interface SitesFieldProps {
  /** The ids of the sites; undefined for all sites. */
  value: readonly string[] | undefined;
  onChange: (value: readonly string[] | undefined) => void;
  hint?: string | undefined;
}

/** Chooses all sites or some of them for a user or a key. */
export function SitesField({ value, onChange, hint }: SitesFieldProps) {
  const words = usePhrases(sitesFieldPhrases);
  const sites = useSites();
  const toggle = (id: string, isOn: boolean) =>
    onChange(isOn ? [...(value ?? []), id] : value?.filter((other) => other !== id));
  return (
    <fieldset className="sites-field">
      <legend className="field-label">{words.sites}</legend>
      <Checkbox
        label={words.all}
        checked={value === undefined}
        onChange={(isAll) => onChange(isAll ? undefined : [])}
      />
      {value !== undefined && (
        <div className="sites-field-list">
          <p className="field-hint">{value.length === 0 ? words.chooseOne : words.some}</p>
          {sites.map(({ id, name }) => (
            <Checkbox key={id} label={name} checked={value.includes(id)} onChange={(isOn) => toggle(id, isOn)} />
          ))}
        </div>
      )}
      {hint !== undefined && <p className="field-hint">{hint}</p>}
    </fieldset>
  );
}
