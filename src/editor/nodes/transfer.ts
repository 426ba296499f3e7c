import { show, wideInput } from "../inputs/input";
import { absentPair, pairOf } from "../inputs/pair";
import { nodeText } from "../texts";
import { HOW, MODE } from "../validate/choices";

const KIND = "#node-input-transferKind";
const WAYS = ["simple", "blind", "attendend"];
const ELSEWHERE = ["msg", "flow", "global", "jsonata", "env"];

/**
 * Asks one question, "how", for two properties of the interface: the operation (the node's mode) and its transferType.
 * The first way is the operation without a transferType. The node's values change only with a new answer.
 */
export function prepareTransfer(node: EditorNode): void {
  if ($(HOW).length === 0) return;
  const pair = pairOf(node, "transferKind");
  const mode = String(node["mode"] || "simple");
  const written = String(pair.value ?? "");
  $(MODE).val(mode);
  $(KIND).val(written);
  $(`${KIND}Type`).val(pair.type);

  const isAsked = mode !== "advanced" || pair.type === "str";
  const before = mode !== "advanced" ? "simple" : written === "attended" ? "attendend" : written;
  const kind = $("#node-input-toKind");
  const toQueue = () => kind.typedInput("type") === "str" && kind.typedInput("value") === "queue";
  // A hand-written node may have an impossible combination, which is shown as it is.
  const impossible = before === "simple" && toQueue();
  let queue = toQueue();
  const how = $(HOW).val(isAsked ? before : written);
  wideInput(how, { default: isAsked ? "how" : pair.type, types: types() });
  how.on("change", () => {
    answer();
    explain();
  });
  kind.on("change", () => {
    if (toQueue() === queue) return;
    queue = !queue;
    how.typedInput("types", types());
  });
  explain();

  /** A queue is reached only by a transfer with a transferType. */
  function types(): (string | TypedInputType)[] {
    const ways = isAsked && !WAYS.includes(before) ? [...WAYS, before] : WAYS;
    const possible = ways.filter((way) => way !== "simple" || !queue || impossible);
    const options = possible.map((value) => ({ value, label: labelOf(value) }));
    const asked: TypedInputType = {
      value: "how",
      label: nodeText(node, "source.choice"),
      icon: "fa fa-check-square-o",
      options,
    };
    return [asked, ...ELSEWHERE, ...(isAsked || ELSEWHERE.includes(pair.type) ? [] : [pair.type])];
  }

  function labelOf(way: string): string {
    if (way === "") return nodeText(node, "choice.none");
    return WAYS.includes(way) ? nodeText(node, `choice.how.${way}`) : way;
  }

  function answer(): void {
    const type = how.typedInput("type");
    const value = how.typedInput("value");
    const simple = type === "how" && value === "simple";
    const now = simple ? absentPair(node, "transferKind") : { value, type: type === "how" ? "str" : type };
    $(KIND).val(String(now.value));
    $(`${KIND}Type`).val(now.type);
    $(MODE)
      .val(simple ? "simple" : "advanced")
      .trigger("change");
  }

  function explain(): void {
    const advanced = $(MODE).val() === "advanced";
    show(!advanced, "fromUserId");
    show(advanced, "toAlias");
    const way = how.typedInput("type") === "how" ? how.typedInput("value") : "mapped";
    $("#telephony-how-hint").text(way === "mapped" || WAYS.includes(way) ? nodeText(node, `hint.how.${way}`) : "");
  }
}
