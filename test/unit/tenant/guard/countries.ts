/**
 * Mobile and fixed numbers of some countries, by the rules that their regulators publish: what is dialled before a national
 * number, what before an international one, and how a significant number begins. A second reading beside the library's.
 */
export interface Country {
  readonly iso: string;
  readonly callingCode: string;
  readonly trunk: string;
  readonly exit: string;
  /** First digits of significant numbers, and how many digits there are in all. */
  readonly plan: readonly (readonly [begins: string, length: number])[];
}

export const COUNTRIES: readonly Country[] = [
  {
    iso: "VN",
    callingCode: "84",
    trunk: "0",
    exit: "00",
    plan: [
      ["90", 9],
      ["91", 9],
      ["98", 9],
      ["32", 9],
      ["70", 9],
      ["243", 10],
      ["283", 10],
    ],
  },
  {
    iso: "DE",
    callingCode: "49",
    trunk: "0",
    exit: "00",
    plan: [
      ["171", 10],
      ["172", 10],
      ["160", 10],
      ["1512", 11],
    ],
  },
  {
    iso: "FR",
    callingCode: "33",
    trunk: "0",
    exit: "00",
    plan: [
      ["61", 9],
      ["66", 9],
      ["14", 9],
    ],
  },
  {
    iso: "GB",
    callingCode: "44",
    trunk: "0",
    exit: "00",
    plan: [
      ["7400", 10],
      ["7911", 10],
      ["207", 10],
    ],
  },
  {
    iso: "JP",
    callingCode: "81",
    trunk: "0",
    exit: "010",
    plan: [
      ["902", 10],
      ["802", 10],
    ],
  },
  {
    iso: "AU",
    callingCode: "61",
    trunk: "0",
    exit: "0011",
    plan: [
      ["412", 9],
      ["43", 9],
    ],
  },
  {
    iso: "US",
    callingCode: "1",
    trunk: "1",
    exit: "011",
    plan: [
      ["201555", 10],
      ["212736", 10],
      ["415555", 10],
    ],
  },
  {
    iso: "IT",
    callingCode: "39",
    trunk: "",
    exit: "00",
    plan: [
      ["320", 10],
      ["347", 10],
    ],
  },
  {
    iso: "SG",
    callingCode: "65",
    trunk: "",
    exit: "000",
    plan: [
      ["81", 8],
      ["91", 8],
      ["62", 8],
    ],
  },
];
