import { boolean, clockTime, listOf, matching, oneOf, required, text } from "../../json/rules";
import { limits } from "./assumptions";
import { accepted, refusals } from "./envelope";
import { type OperationRequest, operation } from "./operation";

/** A boolean in a query, by the style that the sandbox reads. */
const QUERY_BOOLEANS = {
  either: oneOf("true", "false", "1", "0"),
  words: oneOf("true", "false"),
  digits: oneOf("1", "0"),
} as const;

const positive = matching(/^[1-9]\d{0,8}$/, "a whole number from 1");

const list = operation({
  method: "GET",
  path: "/api/v1/setting/business-hour",
  fields: ({ booleans }) => ({ search: text, limit: positive, page: positive, asc: QUERY_BOOLEANS[booleans] }),
  run(values, request, { schedules }) {
    const search = values.search?.toLowerCase() ?? "";
    const found = schedules.all().filter(({ name }) => name.toLowerCase().includes(search));
    if (values.asc === "false" || values.asc === "0") found.reverse();
    const { page = 1, limit = 20 } = values;
    return accepted(pageOf(found, Number(page), Number(limit), request));
  },
});

const create = operation({
  method: "POST",
  path: "/api/v1/setting/business-hour",
  // The interface does not show which fields are required; a schedule without a name or any time is taken as a mistake.
  fields: {
    name: required(text),
    enabled: boolean,
    days: required(
      listOf({
        day: required(oneOf("mon", "tue", "wed", "thu", "fri", "sat", "sun")),
        open: required(clockTime),
        close: required(clockTime),
      }),
    ),
  },
  run(values, _request, { schedules }) {
    if (values.days.length === 0) return refusals.badFields(["The days field must have at least one entry."]);
    if (schedules.bytes >= limits.schedulesBytes) return refusals.schedulesFull();

    const enabled = values.enabled ?? true;
    const days = values.days.map(({ day, open, close }) => ({ day, open: `${open}:00`, close: `${close}:00` }));
    const { name, updated_at, created_at, id } = schedules.add(values.name, enabled, days);
    // As in the interface's sample: no days, and `enable` as a boolean, where reads have a number.
    return accepted({ name, enable: enabled, updated_at, created_at, id });
  },
});

const read = operation({
  method: "GET",
  path: "/api/v1/setting/business-hour/:id",
  fields: {},
  run(_values, { id }, { schedules }) {
    const schedule = schedules.find(Number(id));
    return schedule ? accepted(schedule) : refusals.unknownBusinessHour(id);
  },
});

const remove = operation({
  method: "DELETE",
  path: "/api/v1/setting/business-hour/:id",
  fields: {},
  run: (_values, { id }, { schedules }) =>
    schedules.remove(Number(id)) ? accepted(null, 0) : refusals.unknownBusinessHour(id),
});

export const businessHourOperations = [list, create, read, remove];

/** Makes one page of a longer list (docs/service-interface.md, "Paged list of business hours"). */
function pageOf(list: readonly unknown[], page: number, perPage: number, { query, address }: OperationRequest) {
  const lastPage = Math.max(1, Math.ceil(list.length / perPage));
  const start = (page - 1) * perPage;
  const data = list.slice(start, start + perPage);

  // The page addresses repeat the parameters of the request, so that all pages belong to the same list.
  const addressOf = (number: number): string => {
    const parameters = new URLSearchParams(query);
    parameters.set("page", String(number));
    return `${address}?${parameters.toString()}`;
  };

  return {
    current_page: page,
    data,
    first_page_url: addressOf(1),
    from: data.length > 0 ? start + 1 : null,
    last_page: lastPage,
    last_page_url: addressOf(lastPage),
    next_page_url: page < lastPage ? addressOf(page + 1) : null,
    path: address,
    per_page: perPage,
    prev_page_url: page > 1 ? addressOf(page - 1) : null,
    to: data.length > 0 ? start + data.length : null,
    total: list.length,
  };
}
