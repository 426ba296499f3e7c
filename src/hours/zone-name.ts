/** Names that ICU adds to the IANA zones. Temporal refuses them, and they are ambiguous: IST is India, Ireland or Israel. */
const ICU_ONLY =
  /^(?:(?:AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T|SystemV\/.*|US\/Pacific-New)$/i;

/** Whether this runtime knows the IANA zone. Offsets such as `+07:00`, which Intl accepts, are not zones. */
export function isZone(name: unknown): name is string {
  if (typeof name !== "string" || name.length > 64 || !/^[A-Za-z]/.test(name) || ICU_ONLY.test(name)) return false;
  return canonicalName(name) !== undefined;
}

/** Whether two names mean the same zone, as Asia/Saigon and Asia/Ho_Chi_Minh do. */
export function isSameZone(a: string, b: string): boolean {
  return a === b || canonicalName(a) === canonicalName(b);
}

/** The zone of this machine; UTC where its TZ setting is not a zone. */
export function hostZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isZone(timeZone) ? timeZone : "UTC";
}

function canonicalName(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
