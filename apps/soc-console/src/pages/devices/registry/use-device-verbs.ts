import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import type { Command } from "../../../app/keys/commands.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { attestDevice, DEVICES, type Device } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { enrolmentPhrases } from "./enrolment-phrases.ts";

export interface DeviceVerbs {
  revoked: Device | undefined;
  /** The device that gets a code, or `new`. */
  enrolled: Device | "new" | undefined;
  close: () => void;
  build: (device: Device) => readonly Command[];
  create: Command | undefined;
}

/** The commands attest, revoke and enrol. */
export function useDeviceVerbs(): DeviceVerbs {
  const words = { ...usePhrases(devicesPhrases), ...usePhrases(enrolmentPhrases) };
  const { server } = useApp();
  const { mayWrite, reason, send } = useChanges();
  const { notify } = useNotices();
  const queries = useQueryClient();
  const isDry = useMode() === "dry_run";
  const [revoked, setRevoked] = useState<Device>();
  const [enrolled, setEnrolled] = useState<Device | "new">();
  const about = { group: words.group, isEnabled: reason === undefined, reason };
  const attest = async (device: Device) => {
    const asked = await send(() => attestDevice(server, device.id));
    if (!asked) return;
    notify({ tone: "ok", text: words.attestAsked });
    await queries.invalidateQueries({ queryKey: [DEVICES] });
  };
  const build = (device: Device): readonly Command[] => {
    if (!mayWrite) return [];
    const isOver = device.status === "revoking" || device.status === "revoked";
    const verbs: Command[] = [
      {
        ...about,
        id: "devices.attest",
        label: isDry ? words.attestPreview : words.attest,
        keys: ["a"],
        run: () => attest(device),
      },
      {
        ...about,
        id: "devices.revoke",
        label: isDry ? words.revokePreview : words.revoke,
        keys: ["⇧R"],
        run: () => setRevoked(device),
      },
      { ...about, id: "devices.enrol", label: words.codeAgainTitle, run: () => setEnrolled(device) },
    ];
    return isOver ? verbs.slice(2) : verbs;
  };
  return {
    revoked,
    enrolled,
    close: () => {
      setRevoked(undefined);
      setEnrolled(undefined);
    },
    build,
    create: mayWrite
      ? {
          ...about,
          id: "devices.new",
          label: isDry ? words.previewCode : words.newCode,
          group: words.title,
          keys: ["n"],
          run: () => setEnrolled("new"),
        }
      : undefined,
  };
}
