import { VOICES } from "../../../fields";
import { shared } from "../../words";

/** An id with the region and gender of a voice: `hn_female_thutrang_…`. Other ids are only a name. */
const DESCRIPTIVE = /^(hn|sg)_(female|male)_([a-z]+)_/;

/** The service's voices with readable names, made from their ids alone. */
export function voices(): { value: string; label: string }[] {
  return VOICES.map((value) => ({ value, label: nameOf(value) }));
}

function nameOf(id: string): string {
  if (id === "female" || id === "male") return shared(`voice.${id}`);
  const [, region, gender, name] = DESCRIPTIVE.exec(id) ?? [];
  if (!region || !gender || !name) return capital(id);
  return shared(`voice.${region}_${gender}`, { name: capital(name) });
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
