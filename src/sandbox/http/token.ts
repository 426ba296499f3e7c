import { createHash, timingSafeEqual } from "node:crypto";

export function isToken(value: string): boolean {
  return /^[\x21-\x7E]{1,4096}$/.test(value);
}

/** Compares headers with `Bearer <token>` in a time that tells nothing about where they differ, nor how long it is. */
export function bearerCheck(token: string): (header: unknown) => boolean {
  const wanted = digest(`Bearer ${token}`);
  return (header) => typeof header === "string" && timingSafeEqual(digest(header), wanted);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
