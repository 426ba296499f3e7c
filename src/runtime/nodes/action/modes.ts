import type { Config } from "../../../fields";
import { checkSettings, type Settings } from "../../../fields/setting";
import type { Action, Shape } from "./declaration";

/** The property that chooses among the modes of an action, as a setting; none without modes. */
export function modeSettings({ modes, modeProperty = "mode" }: Action): Settings {
  const choices = Object.keys(modes ?? {});
  return modes ? { [modeProperty]: { kind: "option", choices, default: choices[0] ?? "" } } : {};
}

/** The only shape of an action, or that of the chosen mode. Throws ValueError. */
export function shapeOf(action: Action, config: Config): Shape {
  const [mode = ""] = Object.values(checkSettings(modeSettings(action), config));
  return (action.shape ?? action.modes?.[String(mode)]) as Shape;
}
