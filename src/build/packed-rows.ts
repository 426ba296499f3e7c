/*
 * A dialog is mostly rows that differ in little. It ships them as marks, which the editor makes rows of again:
 * `{~name tag p~}` is the property `name` with an icon, its label and placeholder shared texts, and no hint.
 */
import { SHARED_MARK } from "./shared-texts";

const ROW = /<div class="form-row telephony-row">.*?<\/div>/g;
const PACKED = /\{(~?)(\w+) ([\w-]+)( p~?)?( h~?)?\}/g;

/** @param html as squeezed, with the marks of shared texts */
export function packed(html: string): string {
  return html.replace(ROW, (row) => {
    const found = (pattern: RegExp) => pattern.exec(row)?.[1] ?? "";
    const shared = (text: string) => found(new RegExp(`(${SHARED_MARK}?)${text}\\.`));
    const optional = (text: string) => (row.includes(`${text}.`) ? ` ${text[0]}${shared(text)}` : "");
    const mark = `{${shared("label")}${found(/node-input-(\w+)/)} ${found(/fa-fw fa-([\w-]+)/)}${optional("placeholder")}${optional("hint")}}`;
    return unpacked(mark) === row ? mark : row;
  });
}

export function unpacked(html: string): string {
  return html.replace(PACKED, (_, label: string, name: string, icon: string, placeholder?: string, hint?: string) => {
    const id = `node-input-${name}`;
    const text = placeholder ? ` data-i18n=[placeholder]${placeholder.slice(2)}placeholder.${name}` : "";
    return (
      `<div class="form-row telephony-row"><label for=${id}><i class="fa fa-fw fa-${icon}"></i> ` +
      `<span data-i18n=${label}label.${name}></span></label><input type=text id=${id}${text}>` +
      `${hint ? `<p class=telephony-hint data-i18n=${hint.slice(2)}hint.${name}></p>` : ""}</div>`
    );
  });
}
