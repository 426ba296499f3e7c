const LIST = "telephony-zones";

/** Offers the names of time zones to an input; anything may be typed. */
export function fillZones(input: JQuery): void {
  const zones = $("<datalist>", { id: LIST }).insertAfter(input.attr("list", LIST));
  for (const zone of Intl.supportedValuesOf("timeZone")) $("<option>", { value: zone }).appendTo(zones);
}
