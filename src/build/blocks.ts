/** Where a gate and a trigger read their hours, and the rows that depend on it. */
const hours = `
<div class="form-row telephony-row">
  <label for="telephony-hours"><i class="fa fa-fw fa-calendar"></i> <span data-i18n="label.source"></span></label>
  <select id="telephony-hours">
    <option value="name" data-i18n="choice.hours.name"></option>
    <option value="id" data-i18n="choice.hours.id"></option>
    <option value="own" data-i18n="choice.hours.own"></option>
  </select>
  <input type="hidden" id="node-input-source">
</div>
{{row tenant fa-building-o}}
{{row scheduleName fa-calendar-check-o}}
{{row scheduleId fa-hashtag}}
<div id="telephony-own">
  {{row schedule fa-calendar-check-o}}
</div>
{{row timezone fa-globe}}
{{row exceptions fa-calendar-times-o}}
`;

/** What a gate decides, or a trigger sends, at an instant. */
const preview = (next: string) => `
<div class="form-row telephony-row telephony-preview">
  <label for="telephony-instant"><i class="fa fa-fw fa-eye"></i> <span data-i18n="label.preview"></span></label>
  <input type="datetime-local" id="telephony-instant" aria-describedby="telephony-verdict">
  <p class="telephony-hint" data-i18n="hint.preview"></p>
  <p class="telephony-verdict" id="telephony-verdict" role="status"></p>${next}
  <p class="telephony-hint" id="telephony-sentence"></p>
  <div id="telephony-verdict-week"></div>
</div>
`;

/** The name and number that a call shows. */
const caller = `
<details class="telephony-fold">
  <summary data-i18n="fold.from"></summary>
  {{row fromNumber fa-phone}}
  {{row fromAlias fa-id-card-o}}
  {{row fromKind fa-sign-out}}
</details>
`;

/** The properties of a node that places calls. A new node speaks the text of the message. */
const spokenDefaults = `
{{defaults
  "actions": [{ "action": "talk", "text": "payload.text", "textType": "msg" }],
  "actionsType": "list",
  "answerUrl": "",
  "answerUrlType": "str"
}}
`;

/** The button that shows a node's request, and the place where it is shown. */
export const request = `
<div class="form-row telephony-request" id="telephony-request">
  <button type="button" class="red-ui-button" aria-expanded="false">
    <i class="fa fa-eye" aria-hidden="true"></i> <span data-i18n="request.show"></span>
  </button>
  <div hidden>
    <div role="status"></div>
    <pre tabindex="0" data-i18n="[aria-label]request.label"></pre>
    <p class="telephony-hint" data-i18n="request.hint"></p>
  </div>
</div>`;

const BLOCKS: Readonly<Record<string, string>> = {
  hours,
  preview: preview(""),
  previewAndNext: preview('\n  <p class="telephony-hint" id="telephony-next"></p>'),
  caller,
  spokenDefaults,
};

export const BLOCK_NAMES = Object.keys(BLOCKS);

/** The source of a shared block, which may contain marks. */
export function block(name: string): string | undefined {
  return Object.hasOwn(BLOCKS, name) ? BLOCKS[name]?.trim() : undefined;
}
