import type { Party } from "../../service/calls";
import { t } from "../words";

/** "Ada (number 0123)" */
export function party({ type, number = "", alias }: Party = {}, isHotline = false): string {
  const name =
    type === "queue"
      ? t("queue", { number })
      : type === "external"
        ? t("number", { number })
        : type === "internal"
          ? t(isHotline ? "hotline" : "user", { number })
          : number;
  return alias ? `${alias} (${name})` : name;
}
