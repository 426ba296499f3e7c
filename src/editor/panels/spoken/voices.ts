import { VOICES } from "../../../fields";
import { shared } from "../../words";

/** An id that says where a voice comes from: `hn_female_thutrang_…`. The others say only a name. */
const TELLING = /^(hn|sg)_(female|male)_([a-z]+)_/;

/** The service's voices with names that a person can read; nothing is said that the id does not say. */
export function voices(): { value: string; label: string }[] {
  return VOICES.map((value) => ({ value, label: nameOf(value) }));
}

function nameOf(id: string): string {
  if (id === "female" || id === "male") return shared(`voice.${id}`);
  const [, region, gender, name] = TELLING.exec(id) ?? [];
  if (!region || !gender || !name) return capital(id);
  return shared(`voice.${region}_${gender}`, { name: capital(name) });
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
