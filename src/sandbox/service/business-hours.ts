import { defaults, limits } from "./choices";
import { accepted } from "./envelope";
import { listOf, readFields } from "./fields";
import type { Operation } from "./operation";
import { pageOf } from "./paged-list";
import { refusals } from "./refusals";
import { clockTime, flag, matching, oneOf, required, text } from "./rules";

const positive = matching(/^[1-9]\d{0,8}$/, "a whole number from 1");

const listFields = {
  search: text,
  limit: positive,
  page: positive,
  asc: oneOf("true", "false", "1", "0"),
};

/** The interface has no "Required" column here; a schedule without a name or without any time is taken as a mistake. */
const createFields = {
  name: required(text),
  enabled: flag,
  days: required(
    listOf({
      day: required(oneOf("mon", "tue", "wed", "thu", "fri", "sat", "sun")),
      open: required(clockTime),
      close: required(clockTime),
    }),
  ),
};

export const listBusinessHours: Operation = ({ query, address }, { schedules }) => {
  // An empty query parameter, as a form sends it, counts as not given.
  const asked = [...query].filter(([, value]) => value !== "");
  const { values, problems } = readFields(Object.fromEntries(asked), listFields);
  if (problems.length > 0) return refusals.badFields(problems);

  const wanted = values.search?.toLowerCase();
  const found = schedules.all().filter(({ name }) => wanted === undefined || name.toLowerCase().includes(wanted));
  const ascending = values.asc === undefined ? defaults.ascending : values.asc === "true" || values.asc === "1";
  if (!ascending) found.reverse();

  const page = Number(values.page ?? 1);
  const perPage = Number(values.limit ?? defaults.perPage);
  return accepted(pageOf(found, { page, perPage, address, query: new URLSearchParams(asked) }));
};

export const readBusinessHour: Operation = ({ id }, { schedules }) => {
  const schedule = schedules.find(Number(id));
  return schedule ? accepted(schedule) : refusals.unknownBusinessHour(id);
};

export const createBusinessHour: Operation = ({ body }, { schedules }) => {
  const { values, problems } = readFields(body, createFields);
  if (problems.length > 0) return refusals.badFields(problems);
  if (values.days.length === 0) return refusals.badFields(["The days field must have at least one entry."]);
  if (schedules.size >= limits.schedules) return refusals.tooManySchedules();

  const enabled = values.enabled ?? true;
  const days = values.days.map(({ day, open, close }) => ({ day, open: `${open}:00`, close: `${close}:00` }));
  const { name, updated_at, created_at, id } = schedules.add(values.name, enabled, days);
  // The interface's sample: no days, and `enable` as a boolean, where reads have a number.
  return accepted({ name, enable: enabled, updated_at, created_at, id });
};

export const deleteBusinessHour: Operation = ({ id }, { schedules }) =>
  schedules.remove(Number(id)) ? accepted(null, 0) : refusals.unknownBusinessHour(id);
