/** Rows that are no declared property, or one that is chosen in another way than other settings. */
export const BLOCKS: ReadonlyMap<string, string> = new Map([
  ["warning", '<p class="form-tips" data-i18n="warning"></p>'],
  [
    "source",
    `<div class="form-row telephony-row">
<label for="telephony-hours"><i class="fa fa-fw fa-calendar"></i> <span data-i18n="label.source"></span></label>
<select id="telephony-hours">
<option value="name" data-i18n="choice.hours.name"></option>
<option value="id" data-i18n="choice.hours.id"></option>
<option value="own" data-i18n="choice.hours.own"></option>
<option value="none" data-i18n="choice.hours.none"></option>
</select>
<input type="hidden" id="node-input-source">
</div>`,
  ],
  [
    "preview",
    `<div class="form-row telephony-row telephony-preview">
<label for="telephony-instant"><i class="fa fa-fw fa-eye"></i> <span data-i18n="label.preview"></span></label>
<input type="datetime-local" id="telephony-instant" aria-describedby="telephony-verdict">
<p class="telephony-hint" data-i18n="hint.preview"></p>
<p class="telephony-verdict" id="telephony-verdict" role="status"></p>
<p class="telephony-hint" id="telephony-next"></p>
<p class="telephony-hint" id="telephony-sentence"></p>
<div id="telephony-verdict-week"></div>
</div>`,
  ],
]);
