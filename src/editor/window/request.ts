import { translate } from "../texts";

export const ADDRESS = "telephony/rehearsal";

/** The flows as they stand in the editor, without credentials, and the language of their report. */
export function editorsFlows() {
  return { flows: RED.nodes.createCompleteNodeSet({ credentials: false }), language: translate("language") };
}
