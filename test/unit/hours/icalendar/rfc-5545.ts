/** Examples of RFC 5545, 3.8.5.3, one for each kind of rule that a holiday may use: a rule, and the dates that the document lists for it. */
export interface Example {
  name: string;
  /** `DTSTART;TZID=America/New_York`; 1997-09-02T09:00 where there is none. */
  start?: string;
  rule: string;
  /** `1997-09: 2-11, 14` is days of a month, at the time of the start. */
  expected: string[];
  /** Whether the document's list goes on. Only what it lists is compared then. */
  goesOn?: true;
  exdate?: string;
}

export const EXAMPLES: Example[] = [
  { name: "daily for 10 occurrences", rule: "FREQ=DAILY;COUNT=10", expected: ["1997-09: 2-11"] },
  {
    name: "every 10 days, 5 occurrences",
    rule: "FREQ=DAILY;INTERVAL=10;COUNT=5",
    expected: ["1997-09: 2,12,22", "1997-10: 2,12"],
  },
  ...[
    "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
    "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
  ].map((rule) => ({
    name: "every day in January, for 3 years",
    start: "19980101T090000",
    rule,
    expected: ["1998-01: 1-31", "1999-01: 1-31", "2000-01: 1-31"],
  })),
  {
    name: "weekly for 10 occurrences",
    rule: "FREQ=WEEKLY;COUNT=10",
    expected: ["1997-09: 2,9,16,23,30", "1997-10: 7,14,21,28", "1997-11: 4"],
  },
  ...["FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH"].map(
    (rule) => ({
      name: "weekly on Tuesday and Thursday for five weeks",
      rule,
      expected: ["1997-09: 2,4,9,11,16,18,23,25,30", "1997-10: 2"],
    }),
  ),
  {
    name: "every other week on Monday, Wednesday and Friday until December 24, 1997",
    start: "19970901T090000",
    rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
    expected: [
      "1997-09: 1,3,5,15,17,19,29",
      "1997-10: 1,3,13,15,17,27,29,31",
      "1997-11: 10,12,14,24,26,28",
      "1997-12: 8,10,12,22",
    ],
  },
  {
    name: "monthly on the first Friday for 10 occurrences",
    start: "19970905T090000",
    rule: "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
    expected: [
      ...["1997-09: 5", "1997-10: 3", "1997-11: 7", "1997-12: 5", "1998-01: 2"],
      ...["1998-02: 6", "1998-03: 6", "1998-04: 3", "1998-05: 1", "1998-06: 5"],
    ],
  },
  {
    name: "monthly on the second-to-last Monday for 6 months",
    start: "19970922T090000",
    rule: "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
    expected: ["1997-09: 22", "1997-10: 20", "1997-11: 17", "1997-12: 22", "1998-01: 19", "1998-02: 16"],
  },
  {
    name: "monthly on the third-to-last day of the month, forever",
    start: "19970928T090000",
    rule: "FREQ=MONTHLY;BYMONTHDAY=-3",
    goesOn: true,
    expected: ["1997-09: 28", "1997-10: 29", "1997-11: 28", "1997-12: 29", "1998-01: 29", "1998-02: 26"],
  },
  {
    name: "monthly on the 2nd and 15th for 10 occurrences",
    rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
    expected: ["1997-09: 2,15", "1997-10: 2,15", "1997-11: 2,15", "1997-12: 2,15", "1998-01: 2,15"],
  },
  {
    name: "every 18 months on the 10th thru 15th for 10 occurrences",
    start: "19970910T090000",
    rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
    expected: ["1997-09: 10-15", "1999-03: 10-13"],
  },
  {
    name: "every other year on January, February and March for 10 occurrences",
    start: "19970310T090000",
    rule: "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
    expected: [
      "1997-03: 10",
      ...[1999, 2001, 2003].flatMap((year) => [`${year}-01: 10`, `${year}-02: 10`, `${year}-03: 10`]),
    ],
  },
  {
    name: "every 20th Monday of the year, forever",
    start: "19970519T090000",
    rule: "FREQ=YEARLY;BYDAY=20MO",
    goesOn: true,
    expected: ["1997-05: 19", "1998-05: 18", "1999-05: 17"],
  },
  {
    name: "every Thursday, but only during June, July and August, forever",
    start: "19970605T090000",
    rule: "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
    goesOn: true,
    expected: [
      ...["1997-06: 5,12,19,26", "1997-07: 3,10,17,24,31", "1997-08: 7,14,21,28"],
      ...["1998-06: 4,11,18,25", "1998-07: 2,9,16,23,30", "1998-08: 6,13,20,27"],
      ...["1999-06: 3,10,17,24", "1999-07: 1,8,15,22,29", "1999-08: 5,12,19,26"],
    ],
  },
  {
    name: "every Friday the 13th, forever",
    exdate: "19970902T090000",
    rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    goesOn: true,
    expected: ["1998-02: 13", "1998-03: 13", "1998-11: 13", "1999-08: 13", "2000-10: 13"],
  },
  {
    name: "the first Saturday that follows the first Sunday of the month, forever",
    start: "19970913T090000",
    rule: "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
    goesOn: true,
    expected: [
      ...["1997-09: 13", "1997-10: 11", "1997-11: 8", "1997-12: 13", "1998-01: 10"],
      ...["1998-02: 7", "1998-03: 7", "1998-04: 11", "1998-05: 9", "1998-06: 13"],
    ],
  },
  {
    name: "every 4 years, the first Tuesday after a Monday in November, forever",
    start: "19961105T090000",
    rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
    goesOn: true,
    expected: ["1996-11: 5", "2000-11: 7", "2004-11: 2"],
  },
  {
    name: "the third instance of Tuesday, Wednesday or Thursday, for the next 3 months",
    start: "19970904T090000",
    rule: "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
    expected: ["1997-09: 4", "1997-10: 7", "1997-11: 6"],
  },
  {
    name: "the second-to-last weekday of the month",
    start: "19970929T090000",
    rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
    goesOn: true,
    expected: [
      ...["1997-09: 29", "1997-10: 30", "1997-11: 27", "1997-12: 30"],
      ...["1998-01: 29", "1998-02: 26", "1998-03: 30"],
    ],
  },
  {
    name: "weeks that begin on Monday",
    start: "19970805T090000",
    rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
    expected: ["1997-08: 5,10,19,24"],
  },
  {
    name: "weeks that begin on Sunday",
    start: "19970805T090000",
    rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
    expected: ["1997-08: 5,17,19,31"],
  },
  {
    name: "an invalid date (February 30) is ignored",
    start: "20070115T090000",
    rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
    expected: ["2007-01: 15,30", "2007-02: 15", "2007-03: 15,30"],
  },
];

/** The wall times of an example, as `1997-09-02T09:00`. */
export function expectedTimes({ start = "19970902T090000", expected }: Example): string[] {
  const time = `${start.slice(9, 11)}:${start.slice(11, 13)}`;
  return expected.flatMap((row) => {
    const [month, days = ""] = row.split(": ");
    return days.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      const all = Array.from({ length: last - first + 1 }, (_, index) => String(first + index).padStart(2, "0"));
      return all.map((day) => `${month}-${day}T${time}`);
    });
  });
}
