interface PageRequest {
  /** 1 is the first. */
  readonly page: number;
  readonly perPage: number;
  /** The address of the list, without a query. */
  readonly address: string;
  /** Parameters of the request. The page addresses repeat them, so that all pages belong to the same list. */
  readonly query: URLSearchParams;
}

/** One page of a longer list (docs/service-interface.md, "Paged list of business hours"). */
export function pageOf(list: readonly unknown[], { page, perPage, address, query }: PageRequest) {
  const lastPage = Math.max(1, Math.ceil(list.length / perPage));
  const start = (page - 1) * perPage;
  const data = list.slice(start, start + perPage);

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
