import { VOICES } from "../../../fields";
import { translate } from "../../texts";

type Guess = readonly [name: string, sex: "female" | "male", region?: "northern" | "southern"];

/** All that we add about the voices. The interface has no more than their names, so this is guessed from them, and shown so. */
const GUESSES: Readonly<Record<Exclude<(typeof VOICES)[number], "female" | "male">, Guess>> = {
  hatieumai: ["Hatieumai", "female"],
  ngoclam: ["Ngoclam", "female"],
  banmai: ["Banmai", "female"],
  leminh: ["Leminh", "male"],
  myan: ["Myan", "female"],
  lannhi: ["Lannhi", "female"],
  "sg_male_xuankien_vdts_48k-hsmm": ["Xuankien", "male", "southern"],
  "sg_female_xuanhong_vdts_48k-hsmm": ["Xuanhong", "female", "southern"],
  "hn_male_xuantin_vdts_48k-hsmm": ["Xuantin", "male", "northern"],
  "hn_female_thutrang_phrase_48k-hsmm": ["Thutrang", "female", "northern"],
};

/** No value of the flow file: the menu's choice to type another one. */
const OTHER = "\u0000";

/** Makes a menu of the voices of the interface, and a text box for any other. */
export function voiceInput(line: JQuery, value: string): { readonly typed: JQuery; value(): string } {
  const voices = VOICES.map((voice) => ({ value: voice as string, label: nameOf(voice) }));
  const choices = [{ value: "", label: translate("voice.default") }, ...voices];
  const isKnown = choices.some((choice) => choice.value === value);
  const [name, label] = ["telephony-spoken-voice", translate("spoken.voice")];
  const menu = $("<select>", { class: name, title: translate("voice.hint"), "aria-label": label })
    .append([...choices, { value: OTHER, label: translate("voice.other") }].map(option))
    .val(isKnown ? value : OTHER)
    .appendTo(line);
  const typed = $("<input>", { type: "text", class: `${name}-other`, "aria-label": label, val: isKnown ? "" : value });
  typed.toggle(!isKnown).appendTo(line);
  menu.on("change", () => {
    const isTyped = menu.val() === OTHER;
    typed.toggle(isTyped);
    if (isTyped) typed.trigger("focus");
  });
  return { typed, value: () => String(menu.val() === OTHER ? typed.val() : menu.val()) };
}

function option({ value, label }: { readonly value: string; readonly label: string }): JQuery {
  return $("<option>", { value, text: label });
}

function nameOf(voice: (typeof VOICES)[number]): string {
  if (voice === "female" || voice === "male") return translate(`voice.${voice}`);
  const [name, sex, region = "any"] = GUESSES[voice];
  return translate(`voice.${region}_${sex}`, { name });
}
