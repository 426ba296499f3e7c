import { NAMESPACE, shared } from "./words";

/** What only an open dialog needs: lists, previews, tests. Not part of what every editor loads when it starts. */
export type Dialogs = typeof import("./panels");

declare const telephony: { readonly dialogs: Dialogs };

/** Set by the build; changes with the code that is loaded. */
declare const VERSION: string;

/** Where Node-RED serves a package's own files, as seen from the editor's page. */
const ADDRESS = `resources/${NAMESPACE}/dialogs.js?${VERSION}`;

let loading: Promise<Dialogs> | undefined;

/**
 * Does the rest of a dialog's preparation as soon as its code is there: loaded with the first dialog, then kept. Until
 * then, and if it never comes, the dialog shows and stores what the node has.
 * @param place of the dialog, where it is said when the code cannot be had
 */
export function whenLoaded(place: JQuery, prepare: (dialogs: Dialogs) => void): void {
  const isOpen = () => place.closest("body").length > 0;
  place.children(".telephony-late").remove();
  loading ??= load();
  loading.then(
    (dialogs) => isOpen() && prepare(dialogs),
    () => {
      loading = undefined;
      $("<p>", { class: "telephony-problem telephony-late", role: "alert" })
        .text(shared("schedules.unreachable"))
        .appendTo(place);
    },
  );
}

function load(): Promise<Dialogs> {
  return new Promise((resolve, reject) => {
    $.ajax({ url: ADDRESS, dataType: "script", cache: true }).then(() => resolve(telephony.dialogs), reject);
  });
}
