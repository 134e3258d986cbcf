import { Search } from "lucide-react";
import { type ComponentProps, type ReactNode, useRef } from "react";
import { SelectField, TextField } from "../../design/field.tsx";
import { useAddress } from "../address/use-address.ts";
import { useTextParameter } from "../address/use-text-parameter.ts";
import { useCommands } from "../keys/commands-context.tsx";
import "./lists.css";

/** The filters above a list. Each is a parameter of the address. */
export function FilterLine({ children }: { children: ReactNode }) {
  return <search className="filter-line">{children}</search>;
}

interface FilterTextProps extends Pick<ComponentProps<"input">, "dir" | "maxLength" | "spellCheck"> {
  /** Name of the parameter. */
  name: string;
  label: string;
  placeholder?: string;
}

/** A text filter, applied when the user pauses typing. */
export function FilterText({ name, label, placeholder = label, ...rest }: FilterTextProps) {
  const [text, setText] = useTextParameter(name);
  return (
    <TextField
      {...rest}
      label={label}
      isLabelHidden
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

interface FilterSearchProps extends Omit<FilterTextProps, "name"> {
  name?: string;
  /** The `/` command that focuses this filter. */
  command: { id: string; label: string; group: string };
}

/** The first filter of a list, which `/` focuses. */
export function FilterSearch({ name = "q", label, placeholder = label, command, ...rest }: FilterSearchProps) {
  const [text, setText] = useTextParameter(name);
  const box = useRef<HTMLInputElement>(null);
  useCommands([{ ...command, keys: ["/"], run: () => box.current?.focus() }]);
  return (
    <div className="filter-search">
      <TextField
        {...rest}
        ref={box}
        type="search"
        label={label}
        isLabelHidden
        placeholder={placeholder}
        icon={<Search />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}

interface FilterSelectProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** Label of the empty choice. */
  any: string;
}

export function FilterSelect({ name, label, options, any }: FilterSelectProps) {
  const { search, change } = useAddress();
  return (
    <SelectField
      label={label}
      isLabelHidden
      value={search[name] ?? ""}
      onChange={(value) => change({ [name]: value })}
      options={[{ value: "", label: any }, ...options]}
    />
  );
}
