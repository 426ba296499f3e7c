import { checkValue, type KindName, type Limits } from "./kinds";
import { withoutVariable } from "./variable";

/**
 * A field whose only source is the flow file: its value is the same for every message. Plain data: the dialogs contain it as
 * JSON, so that the editor and the runtime check a value with the same function.
 */
export interface Setting extends Limits {
  readonly kind: KindName;
  /** Its type, or else the choices, decides what the dialog and the schema offer. */
  readonly default: string | number | boolean;
}

export type Settings = Readonly<Record<string, Setting>>;

export type SettingValue<S extends Setting> = S extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly default: boolean }
    ? boolean
    : S extends { readonly default: number }
      ? number
      : string;

/**
 * Checks the value of a setting as a flow file holds it; numbers may be strings.
 * @returns the setting's default when nothing is given
 * @throws ValueError
 */
export function checkSetting<S extends Setting>(setting: S, value: unknown, property: string): SettingValue<S> {
  if (typeof value === "string") withoutVariable(value, property);
  return (checkValue(setting, value, property) ?? setting.default) as SettingValue<S>;
}

/** @throws ValueError */
export function checkSettings<S extends Settings>(settings: S, config: Readonly<Record<string, unknown>>) {
  const checked = Object.entries(settings).map(([name, setting]) => [name, checkSetting(setting, config[name], name)]);
  return Object.fromEntries(checked) as { readonly [Name in keyof S]: SettingValue<S[Name]> };
}
