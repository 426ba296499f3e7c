import { VOICES } from "../../../fields";
import { translate } from "../../texts";
import { menu, textBox } from "../controls";

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
  const voices = VOICES.map((voice) => [voice as string, nameOf(voice)] as const);
  const choices = [["", translate("voice.default")], ...voices, [OTHER, translate("voice.other")]] as const;
  const isKnown = choices.some(([choice]) => choice === value);
  const [name, label] = ["telephony-spoken-voice", translate("spoken.voice")];
  const chosen = menu(label, choices, isKnown ? value : OTHER, { class: name, title: translate("voice.hint") });
  const typed = textBox(label, isKnown ? "" : value, { class: `${name}-other`, placeholder: "" }).toggle(!isKnown);
  line.append(chosen, typed);
  chosen.on("change", () => {
    const isTyped = chosen.val() === OTHER;
    typed.toggle(isTyped);
    if (isTyped) typed.trigger("focus");
  });
  return { typed, value: () => String(chosen.val() === OTHER ? typed.val() : chosen.val()) };
}

function nameOf(voice: (typeof VOICES)[number]): string {
  if (voice === "female" || voice === "male") return translate(`voice.${voice}`);
  const [name, sex, region = "any"] = GUESSES[voice];
  return translate(`voice.${region}_${sex}`, { name });
}
