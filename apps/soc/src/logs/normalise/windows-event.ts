import { type Fields, isFields } from "./event-path.ts";

export const SYSMON = "Microsoft-Windows-Sysmon/Operational";
const DEFENDER = "Microsoft-Windows-Windows Defender/Operational";

/**
 * Flattens the formats in which shippers send Windows events: the event's own data at the top level, with Channel,
 * EventID and Computer whatever the shipper calls them. Undefined for any other event.
 */
export function flattenWindowsEvent(event: Fields): Fields | undefined {
  if (event.Channel !== undefined) return event;
  if (isFields(event.Event)) return flattenRawEvent(event.Event);
  if (event.log_name !== undefined) return flattenOldWinlogbeat(event);
  return isFields(event.winlog) ? flattenWinlogbeat(event, event.winlog) : undefined;
}

/** The XML of the event as JSON; XML attributes are under "#attributes" or have names that start with "@". */
function flattenRawEvent(event: Fields): Fields | undefined {
  if (!isFields(event.System)) return undefined;
  const { Provider, EventID, TimeCreated, Execution, Security, Correlation, ...system } = event.System;
  return {
    ...system,
    EventID: isFields(EventID) ? EventID["#text"] : EventID,
    Provider_Name: readAttribute(Provider, "Name"),
    TimeCreated: readAttribute(TimeCreated, "SystemTime"),
    ExecutionProcessID: readAttribute(Execution, "ProcessID"),
    UserID: readAttribute(Security, "UserID"),
    ActivityID: readAttribute(Correlation, "ActivityID"),
    ...(isFields(event.EventData) && readEventData(event.EventData)),
    ...(isFields(event.UserData) && readUserData(event.UserData)),
  };
}

function readAttribute(element: unknown, name: string): unknown {
  if (!isFields(element)) return undefined;
  const attributes = element["#attributes"];
  return isFields(attributes) ? attributes[name] : (element[`@${name}`] ?? element[name]);
}

function readEventData(eventData: Fields): Record<string, unknown> {
  const { "#attributes": _, Data, ...others } = eventData;
  if (Data === undefined) return others;
  const fields: Record<string, unknown> = others;
  const elements: readonly unknown[] = Array.isArray(Data) ? Data : [Data];
  const unnamed: unknown[] = [];
  for (const element of elements) {
    const name = readAttribute(element, "Name");
    const text = isFields(element) ? element["#text"] : element;
    if (typeof name === "string" && name !== "__proto__") fields[name] = text;
    else unnamed.push(text);
  }
  return unnamed.length === 0 ? fields : { ...fields, Data: unnamed.flat() };
}

/** The data is one element deeper, under a name that the provider chose. */
function readUserData(userData: Fields): Record<string, unknown> {
  const inner = Object.values(userData).find(isFields) ?? userData;
  const { "#attributes": _, ...fields } = inner;
  return fields;
}

function flattenOldWinlogbeat(event: Fields): Fields {
  const { log_name, event_id, computer_name, source_name, event_data, user_data, ...fields } = event;
  return {
    ...fields,
    Channel: log_name,
    EventID: event_id,
    Computer: computer_name,
    Provider_Name: source_name,
    ...(isFields(event_data) && event_data),
    ...(isFields(user_data) && user_data),
  };
}

function flattenWinlogbeat(event: Fields, winlog: Fields): Fields {
  const { winlog: _, ...fields } = event;
  const { channel, event_id, computer_name, provider_name, event_data, user_data, ...others } = winlog;
  return {
    ...fields,
    winlog: others,
    Channel: channel,
    EventID: event_id,
    Computer: computer_name,
    Provider_Name: provider_name,
    ...(isFields(event_data) && event_data),
    ...(isFields(user_data) && user_data),
  };
}

/** Sysmon's names for a new process, which rules use, and the corresponding names of the Security log (event 4688). */
const PROCESS_NAMES: readonly (readonly [string, string])[] = [
  ["Image", "NewProcessName"],
  ["ParentImage", "ParentProcessName"],
  ["CommandLine", "ProcessCommandLine"],
  ["User", "SubjectUserName"],
  ["LogonId", "SubjectLogonId"],
];

/** The data without a field of its own, plus the names that rules use where Windows uses other names. */
export function collectWindowsAttributes(fields: Fields): Record<string, unknown> {
  const { EventID: _, Computer: __, Hostname, Message: ___, "@timestamp": ____, ...rest } = fields;
  const attributes: Record<string, unknown> = rest;
  if (fields.Computer !== undefined && Hostname !== undefined) attributes.Hostname = Hostname;
  const provider = attributes.ProviderName ?? attributes.SourceName;
  if (attributes.Provider_Name === undefined && provider !== undefined) attributes.Provider_Name = provider;
  if (attributes.NewProcessName !== undefined) addProcessNames(attributes);
  if (attributes.Channel === DEFENDER) addNamesWithoutSpaces(attributes);
  return attributes;
}

/** Defender is the only provider whose names contain spaces; rules write them without spaces. */
function addNamesWithoutSpaces(attributes: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(attributes)) {
    const short = name.replaceAll(" ", "");
    // "Source Name" is not the provider that some shippers call SourceName; that value is kept as Provider_Name.
    if (short !== name && (attributes[short] === undefined || short === "SourceName")) attributes[short] = value;
  }
}

function addProcessNames(attributes: Record<string, unknown>): void {
  for (const [name, other] of PROCESS_NAMES) {
    const value = attributes[other];
    if (attributes[name] === undefined && value !== undefined) attributes[name] = value;
  }
}
