import type { NodeAPI } from "node-red";
import { type NodeDeclaration, register } from "../src/runtime/register";
import { serveWorkshop } from "../src/workshop/admin/routes";
import { businessHourCreate } from "./business-hour-create";
import { businessHourDelete } from "./business-hour-delete";
import { businessHourEnsure } from "./business-hour-ensure";
import { businessHourGate } from "./business-hour-gate";
import { businessHourGet } from "./business-hour-get";
import { businessHourList } from "./business-hour-list";
import { businessHourTrigger } from "./business-hour-trigger";
import { callAddUser } from "./call-add-user";
import { callEscalate } from "./call-escalate";
import { callList } from "./call-list";
import { callOut } from "./call-out";
import { callStop } from "./call-stop";
import { callTransfer } from "./call-transfer";
import { telephonyControl } from "./telephony-control";
import { telephonyTenant } from "./telephony-tenant";
import { telephonyWebhook } from "./telephony-webhook";

/** Every node of the set, in the order of the palette. */
export const nodes: readonly NodeDeclaration[] = [
  telephonyTenant,
  telephonyWebhook,
  callOut,
  callList,
  callEscalate,
  callStop,
  callTransfer,
  callAddUser,
  businessHourList,
  businessHourGet,
  businessHourCreate,
  businessHourEnsure,
  businessHourDelete,
  businessHourGate,
  businessHourTrigger,
  telephonyControl,
];

/** Registers the set. Node-RED calls this when it loads it. */
export default function telephony(RED: NodeAPI): void {
  serveWorkshop(RED, nodes);
  register(RED, nodes);
}
