import { VOICES } from "../../../fields";
import { translate } from "../../texts";

type Voice = Exclude<(typeof VOICES)[number], "female" | "male">;
type Sex = "female" | "male";
type Region = "northern" | "southern" | "central";

/**
 * The voices as their makers publish them; all are Vietnamese. Sources differ on the regions of two of them, which are left
 * out.
 */
const PEOPLE: Readonly<Record<Voice, readonly [name: string, sex: Sex, region?: Region]>> = {
  hatieumai: ["Hatieumai", "female", "southern"],
  ngoclam: ["Ngoclam", "female", "central"],
  banmai: ["Banmai", "female"],
  leminh: ["Leminh", "male", "northern"],
  myan: ["Myan", "female"],
  lannhi: ["Lannhi", "female", "southern"],
  "sg_male_xuankien_vdts_48k-hsmm": ["Xuankien", "male", "southern"],
  "sg_female_xuanhong_vdts_48k-hsmm": ["Xuanhong", "female", "southern"],
  "hn_male_xuantin_vdts_48k-hsmm": ["Xuantin", "male", "northern"],
  "hn_female_thutrang_phrase_48k-hsmm": ["Thutrang", "female", "northern"],
};

/** The voices of the interface, with readable names. */
export function voices(): { value: string; label: string }[] {
  return [
    { value: "", label: translate("voice.default") },
    ...VOICES.map((value) => ({ value, label: nameOf(value) })),
  ];
}

function nameOf(voice: (typeof VOICES)[number]): string {
  if (voice === "female" || voice === "male") return translate(`voice.${voice}`);
  const [name, sex, region] = PEOPLE[voice];
  return region ? translate(`voice.${region}_${sex}`, { name }) : translate(`voice.any_${sex}`, { name });
}
