import { strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { calendar, formatInstant, loadZone, readExceptions, readInstant, readSchedule } from "../../../src/hours";
import { speaker } from "../../../src/runtime/nodes/gate/sentences";

type Language = Parameters<typeof speaker>[0];

const ZONE = "Asia/Ho_Chi_Minh";
const HOURS = [
  { open: "08:00", close: "12:00" },
  { open: "13:00", close: "17:30" },
];
const DAYS = ["mon", "tue", "wed", "thu", "fri"].flatMap((day) => HOURS.map((hours) => ({ day, ...hours })));
/** 2027-02-08 is a Monday. */
const EXCEPTIONS = [
  { from: "2027-02-03", to: "2027-02-07", name: "New Year" },
  {
    date: "2027-02-02",
    name: "New Year's Eve",
    hours: [
      { open: "09:00", close: "11:00" },
      { open: "12:00", close: "14:30" },
    ],
  },
  { date: "2027-03-01", name: "the long night", hours: [{ open: "22:00", close: "02:00" }] },
];

/** Returns what is said of a schedule at a local time. */
async function said(
  language: Language,
  at: string,
  schedule: object = { days: DAYS },
  exceptions: object[] = EXCEPTIONS,
) {
  const zone = await loadZone(ZONE);
  const instant = readInstant(at, zone);
  const verdict = calendar(readSchedule(schedule), readExceptions(exceptions), zone).at(instant);
  return speaker(language, "en-US")(verdict, formatInstant(instant, zone));
}

const ALWAYS = {
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => ({ day, open: "00:00", close: "00:00" })),
};
const FOREVER = [{ from: "01-01", to: "12-31", name: "Test", hours: [{ open: "00:00", close: "00:00" }] }];
const MIDNIGHT = { days: [{ day: "mon", open: "09:00", close: "23:59" }] };
const NEVER = [{ from: "01-01", to: "12-31", name: "Moving" }];

type Case = readonly [at: string, schedule?: object | undefined, exceptions?: object[]];

/** The name of a case, the local time, and the schedule and the exceptions where they are others. */
const CASES: Readonly<Record<string, Case>> = {
  openToday: ["2027-02-09T16:00"],
  openUntil: ["2027-02-08T23:00", { days: [{ day: "mon", open: "22:00", close: "06:05" }] }],
  open: ["2027-02-09T16:00", ALWAYS, []],
  closedToday: ["2027-02-09T12:00"],
  closedUntil: ["2027-02-09T17:30"],
  closed: ["2027-02-09T17:30", { days: DAYS, enabled: false }],
  namedOpenToday: ["2027-02-02T12:00"],
  namedOpenUntil: ["2027-03-01T22:00"],
  namedOpen: ["2027-02-02T12:00", ALWAYS, FOREVER],
  namedClosedToday: ["2027-02-02T08:59"],
  namedClosedUntil: ["2027-02-04T10:00"],
  namedClosed: ["2027-02-04T10:00", undefined, NEVER],
  openMidnight: ["2027-02-08T12:00", MIDNIGHT],
  namedOpenMidnight: ["2027-02-08T12:00", undefined, [{ date: "2027-02-08", name: "Sale", hours: MIDNIGHT.days }]],
  specialOverUntil: ["2027-02-02T15:00"],
  specialOver: ["2027-02-02T15:00", { days: [] }, EXCEPTIONS.slice(1, 2)],
};

/** Written by hand. The other languages share what chooses the sentence: theirs have an example of each kind of time. */
const SAID: Readonly<Record<Exclude<Language, "">, Readonly<Record<string, string>>>> = {
  en: {
    openToday: "We are open until 17:30.",
    openUntil: "We are open until Tuesday, 9 February, at 6:05.",
    open: "We are open.",
    closedToday: "We are closed and open again today at 13:00.",
    closedUntil: "We are closed and open again on Wednesday, 10 February, at 8:00.",
    closed: "We are closed.",
    namedOpenToday: "Special opening hours apply for New Year's Eve. We are open until 14:30.",
    namedOpenUntil: "Special opening hours apply for the long night. We are open until Tuesday, 2 March, at 2:00.",
    namedOpen: "Special opening hours apply for Test. We are open.",
    namedClosedToday: "Special opening hours apply for New Year's Eve. We are closed and open again today at 9:00.",
    namedClosedUntil: "We are closed for New Year and open again on Monday, 8 February, at 8:00.",
    namedClosed: "We are closed for Moving.",
    openMidnight: "We are open until midnight.",
    namedOpenMidnight: "Special opening hours apply for Sale. We are open until midnight.",
    specialOverUntil:
      "Special opening hours apply for New Year's Eve. We are closed and open again on Monday, 8 February, at 8:00.",
    specialOver: "Special opening hours apply for New Year's Eve. We are closed.",
  },
  vi: {
    closedUntil: "Hiện chúng tôi đang đóng cửa và sẽ mở cửa lại lúc 8:00, Thứ Tư, ngày 10 tháng 2.",
    namedOpenUntil:
      "Nhân dịp the long night, chúng tôi làm việc theo giờ đặc biệt và mở cửa đến 2:00, Thứ Ba, ngày 2 tháng 3.",
    namedClosedUntil: "Chúng tôi nghỉ New Year và sẽ mở cửa lại lúc 8:00, Thứ Hai, ngày 8 tháng 2.",
    openMidnight: "Chúng tôi mở cửa đến nửa đêm.",
  },
  de: {
    closedUntil: "Wir haben geschlossen und öffnen wieder am Mittwoch, den 10. Februar, um 8:00 Uhr.",
    namedOpenUntil:
      "the long night: Es gelten besondere Öffnungszeiten. Wir haben bis Dienstag, den 2. März, 2:00 Uhr geöffnet.",
    namedClosedUntil: "New Year: Wir haben geschlossen. Wir öffnen wieder am Montag, den 8. Februar, um 8:00 Uhr.",
    openMidnight: "Wir haben bis Mitternacht geöffnet.",
  },
  ja: {
    closedUntil: "ただいま営業時間外です。次の営業は2月10日水曜日の8:00からです。",
    namedOpenUntil: "the long nightのため、特別な営業時間となっています。3月2日火曜日の2:00まで営業しています。",
    namedClosedUntil: "New Yearのため、ただいま休業しています。次の営業は2月8日月曜日の8:00からです。",
    openMidnight: "本日は深夜0時まで営業しています。",
  },
  zh: {
    closedUntil: "现在是非营业时间，2月10日星期三8:00开始营业。",
    namedOpenUntil: "因the long night，我们的营业时间有所调整，营业到3月2日星期二2:00。",
    namedClosedUntil: "因New Year，我们暂停营业，2月8日星期一8:00开始营业。",
    openMidnight: "我们今天营业到午夜零点。",
  },
};

describe("businessHour.sentence", () => {
  for (const [language, texts] of Object.entries(SAID) as [Exclude<Language, "">, Record<string, string>][])
    for (const [name, text] of Object.entries(texts))
      it(`${language}: ${text}`, async () => strictEqual(await said(language, ...(CASES[name] as Case)), text));

  it("speaks the server's language where the node has none, and English for one that is not there", () => {
    const shut = { open: false, closesAt: null, opensAt: null, exception: null };
    for (const [server, text] of [
      ["zh-TW", "现在是非营业时间。"],
      ["de", "Wir haben geschlossen."],
      ["fr", "We are closed."],
      ["__proto__", "We are closed."],
    ] as const)
      strictEqual(speaker("", server)(shut, "2027-02-09T17:30:00+07:00"), text);
    strictEqual(speaker("ja", "de")(shut, "2027-02-09T17:30:00+07:00"), "ただいま営業時間外です。");
  });

  it("says today only of the date in the zone, up to its last minute", async () => {
    const night = { days: [{ day: "mon", open: "23:30", close: "00:30" }] };
    strictEqual(await said("en", "2027-02-08T23:29:59", night), "We are closed and open again today at 23:30.");
    strictEqual(await said("en", "2027-02-08T23:59:59", night), "We are open until Tuesday, 9 February, at 0:30.");
    strictEqual(await said("en", "2027-02-09T00:00", night), "We are open until 0:30.");
    strictEqual(await said("en", "2027-02-08T23:59:59", MIDNIGHT), "We are open until midnight.");
    const days = [...MIDNIGHT.days, { day: "tue", open: "00:00", close: "23:59" }];
    strictEqual(await said("en", "2027-02-08T12:00", { days }), "We are open until Wednesday, 10 February, at 0:00.");
  });

  it("keeps an exception's name on one line and within 100 characters", async () => {
    const named = (name: string) => said("en", "2027-02-04T10:00", undefined, [{ ...NEVER[0], name }]);
    strictEqual(await named("New\r\n\tYear \u2028 party"), "We are closed for New Year party.");
    strictEqual(await named("🎉".repeat(5000)), `We are closed for ${"🎉".repeat(100)}.`);
    strictEqual(await named("\u2067Moving\u2069 \u200Fday\uFEFF"), "We are closed for Moving day.");
    strictEqual(await named("__time__ $& $1"), "We are closed for __time__ $& $1.");
  });

  it("is that of the verdict asked about, whichever was asked about before", async () => {
    const zone = await loadZone(ZONE);
    const verdictAt = calendar(readSchedule({ days: DAYS }), readExceptions(EXCEPTIONS), zone).at;
    const kept = speaker("en", "");
    const from = readInstant("2027-02-01", zone);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10 * 24 * 4 }), { minLength: 2 }), (quarters) => {
        for (const quarter of quarters) {
          const at = from + quarter * 15 * 60_000;
          const text = formatInstant(at, zone);
          strictEqual(kept(verdictAt(at), text), speaker("en", "")(verdictAt(at), text));
        }
      }),
    );
  });
});
