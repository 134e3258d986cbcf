import { Ellipsis, Search, ShieldAlert } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonKind, IconButton } from "../../../design/button.tsx";
import { Dialog, Drawer } from "../../../design/dialog.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "../../../design/field.tsx";
import { KeyCap } from "../../../design/key-cap.tsx";
import { Mark } from "../../../design/mark.tsx";
import { Menu } from "../../../design/menu.tsx";
import { Panel } from "../../../design/panel.tsx";

const KINDS: ButtonKind[] = ["primary", "plain", "danger", "ghost"];

function Buttons() {
  return (
    <Panel title="Buttons" aside={<Mark />}>
      {KINDS.map((kind) => (
        <div key={kind} className="gallery-row">
          <Button kind={kind} keys={["P"]}>
            {kind}
          </Button>
          <Button kind={kind} size="s">
            Small
          </Button>
          <Button kind={kind} icon={<ShieldAlert />}>
            Icon
          </Button>
          <Button kind={kind} disabled>
            Off
          </Button>
          <Button kind={kind} isBusy>
            Busy
          </Button>
        </div>
      ))}
      <div className="gallery-row">
        <IconButton label="Search" icon={<Search />} keys={["/"]} />
        <IconButton label="Pressed" icon={<Search />} isPressed />
        <IconButton label="Small" icon={<Search />} size="s" />
        <KeyCap>J</KeyCap>
        <KeyCap>⌘K</KeyCap>
        <Menu
          label="Actions"
          trigger={<IconButton label="Actions" icon={<Ellipsis />} />}
          items={["Alpha", "Beta", "Gamma"].map((label) => ({ label, onSelect: () => undefined }))}
        />
      </div>
    </Panel>
  );
}

function Fields() {
  const [zone, setZone] = useState<"utc" | "local">("utc");
  const [isOn, setIsOn] = useState(true);
  return (
    <Panel title="Fields">
      <div className="gallery-stack">
        <TextField label="Name" placeholder="fin-ws-014" hint="As the agent reports it" />
        <TextField label="Search" isLabelHidden icon={<Search />} placeholder="Filter" />
        <TextField label="Port" defaultValue="70000" error="port: must be an integer from 1 to 65535" />
        <TextField label="Off" disabled defaultValue="unchangeable" />
        <TextArea label="Note" rows={2} />
        <SelectField
          label="Zone"
          value={zone}
          onChange={setZone}
          options={[
            { value: "utc", label: "UTC" },
            { value: "local", label: "Local" },
          ]}
        />
        <div className="gallery-row">
          <Checkbox label="On" checked={isOn} onChange={setIsOn} />
          <Checkbox label="Partly" checked={false} isIndeterminate onChange={setIsOn} />
          <Checkbox label="Off" checked={false} onChange={setIsOn} />
          <Checkbox label="Disabled" checked={false} disabled onChange={setIsOn} />
        </div>
      </div>
    </Panel>
  );
}

function Dialogs() {
  const [open, setOpen] = useState<"dialog" | "drawer">();
  const close = () => setOpen(undefined);
  const actions = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="primary" onClick={close}>
        Promote
      </Button>
    </>
  );
  return (
    <Panel title="Dialogs">
      <div className="gallery-row">
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
        <Button onClick={() => setOpen("drawer")}>Drawer</Button>
      </div>
      <Dialog title="Promote to case" isOpen={open === "dialog"} onClose={close} closeLabel="Close" actions={actions}>
        <TextField label="Title" defaultValue="PowerShell download cradle" />
      </Dialog>
      <Drawer title="Columns" isOpen={open === "drawer"} onClose={close} closeLabel="Close" width="s" actions={actions}>
        <TextField label="Name" />
      </Drawer>
    </Panel>
  );
}

export function GalleryControls() {
  return (
    <>
      <Buttons />
      <Fields />
      <Dialogs />
    </>
  );
}
