import assert from "node:assert/strict";
import { packed, unpacked } from "../../../src/build/packed-rows";

const row = (inside: string) => `<div class="form-row telephony-row">${inside}</div>`;
const labelled = (label: string, rest: string) =>
  row(`<label for=node-input-to><i class="fa fa-fw fa-id-card-o"></i> <span data-i18n=${label}></span></label>${rest}`);

describe("the rows of a shipped dialog", () => {
  const usual: readonly (readonly [mark: string, whole: string])[] = [
    ["{to id-card-o}", labelled("label.to", "<input type=text id=node-input-to>")],
    [
      "{~to id-card-o p h~}",
      labelled(
        "~label.to",
        "<input type=text id=node-input-to data-i18n=[placeholder]placeholder.to><p class=telephony-hint data-i18n=~hint.to></p>",
      ),
    ],
    [
      "{to id-card-o p~}",
      labelled("label.to", "<input type=text id=node-input-to data-i18n=[placeholder]~placeholder.to>"),
    ],
  ];
  for (const [mark, whole] of usual) {
    it(`are short: ${mark}`, () => {
      assert.equal(packed(`<p>${whole}</p>`), `<p>${mark}</p>`);
      assert.equal(unpacked(`<p>${mark}</p>`), `<p>${whole}</p>`);
    });
  }

  const others = {
    "has another label": labelled("label.from", "<input type=text id=node-input-to>"),
    "is a choice": labelled("label.to", "<select id=node-input-to><option value=a></option></select>"),
    "has a style": labelled("label.to", "<input type=text id=node-input-to style=width:100%>"),
    "has something more": labelled("label.to", "<input type=text id=node-input-to><b>more</b>"),
    "is in a config node": labelled("label.to", "<input type=text id=node-config-input-to>"),
  };
  for (const [what, whole] of Object.entries(others)) {
    it(`are left alone when one ${what}`, () => assert.equal(packed(whole), whole));
  }
});
