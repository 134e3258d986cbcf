import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import { MODEL_DESTINATION } from "../../assistants/models/model-fetch.ts";
import type { Authority, AuthorityDeps } from "../../devices/certificates/authority.ts";
import { readHttpAdapters, readKey } from "../../foundation/outbound/http-adapters.ts";
import { readMailbox } from "../../foundation/outbound/mail.ts";
import type { PrivateTargets } from "../../foundation/outbound/private-targets.ts";
import { openKeyFile } from "../../foundation/records/key-file.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { createSeal, KEY_BYTES } from "../../foundation/records/seal.ts";
import type { SignInSettings } from "../../identity/oidc/provider.ts";
import { formatProviderDestination } from "../../identity/oidc/provider-fetch.ts";
import type { EdrAdapterSettings } from "../../response/edr/edr-adapter.ts";
import { createSealing } from "../../response/notifications/sealing.ts";
import { openFileStorage, type StorageSettings } from "./file-storage.ts";
import { type ModelVariables, readModelSettings } from "./model-files.ts";
import { readSignInSettings, type SignInVariables } from "./sign-in-files.ts";
import { readEndorsementTrust, type TpmFiles } from "./tpm-files.ts";

/** What the operator configured for outbound requests and for approvals. */
export interface ResponseSettings {
  fourEyes: boolean;
  edrUrl: string | undefined;
  edrKeyFile: string | undefined;
  httpAdaptersFile: string | undefined;
  /** The private hosts and networks that notifications may reach. */
  notifyPrivate: PrivateTargets | undefined;
  smtpUrl: string | undefined;
  smtpFrom: string | undefined;
}

export interface OperatorFilesDeps {
  dataFolder: string;
  /** The key that signs the checkpoints of the ledger; it is never stored in the database. */
  ledgerKeyFile: string;
  response: ResponseSettings;
  /** The language model, which is optional. */
  model?: ModelVariables | undefined;
  tpm?: TpmFiles | undefined;
  signIn?: SignInVariables | undefined;
  /** On disk by default. */
  storage?: StorageSettings | undefined;
  clock: Pick<Clock, "now" | "sleep">;
  ids: Pick<Ids, "secret" | "next">;
}
const NO_TPM_FILES: TpmFiles = { rootsFile: undefined, keysFile: undefined };
const PASSWORDS_ONLY: SignInSettings = {
  providers: [],
  breakGlassUser: undefined,
  secondFactorRoles: [],
  isStepUpOn: false,
};
const ON_DISK: StorageSettings = { address: "disk", keyFile: undefined, region: "", maxBytes: 100 * 1024 ** 2 };
export type OperatorFiles = Awaited<ReturnType<typeof readOperatorFiles>>;

/** Reads the keys and adapters that the operator keeps in files. Creates platform keys that are missing. */
export async function readOperatorFiles(deps: OperatorFilesDeps) {
  const { dataFolder, ledgerKeyFile, response, model, signIn, clock, ids } = deps;
  const { tpm = NO_TPM_FILES, storage = ON_DISK } = deps;
  const channelsKey = await openKeyFile("channels.key", join(dataFolder, "channels.key"), () => ids.secret(KEY_BYTES));
  return {
    ledgerKey: await openLedgerKey(ledgerKeyFile),
    sealing: createSealing(channelsKey, ids),
    seal: createSeal(channelsKey, ids),
    httpAdapters: await readHttpAdapters(response.httpAdaptersFile),
    edr: await readEdrSettings(response),
    mailbox: readMailbox(response.smtpUrl, response.smtpFrom),
    model: model && (await readModelSettings(model)),
    signIn: signIn ? await readSignInSettings(signIn) : PASSWORDS_ONLY,
    endorsementTrust: await readEndorsementTrust(tpm),
    storage: await openFileStorage({ settings: storage, dataFolder, clock, ids }),
    authority: openOnce({ path: join(dataFolder, "devices-ca.pem"), clock, ids }),
  };
}

/** The destinations whose addresses the operator configured: these may be in a private network. */
export function listConfigured({ signIn }: Pick<OperatorFiles, "signIn">): string[] {
  return ["edr", MODEL_DESTINATION, ...signIn.providers.map(formatProviderDestination)];
}

/** The library for certificates is loaded with the first use: most processes never need it. */
function openOnce(deps: AuthorityDeps): () => Promise<Authority> {
  let opened: Promise<Authority> | undefined;
  return () => {
    opened ??= import("../../devices/certificates/authority.ts").then(({ openAuthority }) => openAuthority(deps));
    return opened;
  };
}

async function readEdrSettings({ edrUrl: url, edrKeyFile }: ResponseSettings): Promise<EdrAdapterSettings | undefined> {
  if (url === undefined && edrKeyFile === undefined) return undefined;
  if (url === undefined) {
    throw invalidField("SOC_EDR_ADAPTER_URL", "required when SOC_EDR_ADAPTER_KEY_FILE is set");
  }
  if (edrKeyFile === undefined) {
    throw invalidField("SOC_EDR_ADAPTER_KEY_FILE", "required when SOC_EDR_ADAPTER_URL is set");
  }
  return { url, key: await readKey("SOC_EDR_ADAPTER_KEY_FILE", edrKeyFile) };
}
