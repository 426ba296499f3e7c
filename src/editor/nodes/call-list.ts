import { offerValues } from "../inputs/input";
import { prepareLook } from "../panels/server/list-look";
import { prepare } from "./dialog";

/** Those in which spreadsheets save lists, by their names of the Encoding Standard. */
const ENCODINGS = ["utf-8", "utf-16le", "windows-1252", "windows-1258", "macintosh", "shift_jis", "euc-jp", "gb18030"];

export function prepareCallList(node: EditorNode): void {
  prepare(node);
  offerValues($("#node-input-encoding"), "telephony-encodings", ENCODINGS);
  prepareLook(node);
}
