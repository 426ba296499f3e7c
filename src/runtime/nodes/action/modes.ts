import type { Config } from "../../../fields";
import { checkSetting } from "../../../fields/setting";
import type { Action, Shape } from "./declaration";

/** The property that chooses among the modes of an action, as a setting. */
export function modeSetting({ modes, modeProperty = "mode" }: Action) {
  const choices = Object.keys(modes);
  return { property: modeProperty, setting: { kind: "option", choices, default: choices[0] ?? "" } as const };
}

/** The shape of the chosen mode. Throws ValueError. */
export function shapeOf(action: Action, config: Config): Shape {
  const { property, setting } = modeSetting(action);
  const mode = checkSetting(setting, config[property], property);
  return action.modes[mode] as Shape;
}
