import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";

/** `1 tile`, `2 tiles`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;
}

/** A duration in milliseconds; 0 if there is none. */
export function millis(duration: Duration | undefined): number {
  return duration ? Number(duration.seconds) * 1000 + duration.nanos / 1_000_000 : 0;
}

/** A clock, to the second: `0:07`, `12:30`, `1:02:03`. */
export function clock(milliseconds: number): string {
  const all = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return hours > 0 ? `${String(hours)}:${two(minutes)}:${two(seconds)}` : `${String(minutes)}:${two(seconds)}`;
}

/** A length of time with two or three digits and its unit: `0.4 ms`, `35 ms`, `1.2 s`, `3:05 min`. */
export function span(milliseconds: number): string {
  if (milliseconds < 10) {
    return `${milliseconds.toFixed(1)} ms`;
  }
  if (milliseconds < 1000) {
    return `${String(Math.round(milliseconds))} ms`;
  }
  if (milliseconds < 60_000) {
    return `${(milliseconds / 1000).toFixed(1)} s`;
  }
  return `${clock(milliseconds)} min`;
}

/** A point in time; nothing if there is none. */
export function date(timestamp: Timestamp | undefined): Date | undefined {
  return timestamp ? new Date(Number(timestamp.seconds) * 1000 + Math.floor(timestamp.nanos / 1_000_000)) : undefined;
}

/** How long ago that was: `just now`, `5 minutes ago`; a date if it was more than a week. */
export function ago(then: Date, now: Date = new Date()): string {
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000);
  if (seconds < 60) {
    return "just now";
  }
  if (seconds < 3600) {
    return `${count(Math.floor(seconds / 60), "minute")} ago`;
  }
  if (seconds < 86_400) {
    return `${count(Math.floor(seconds / 3600), "hour")} ago`;
  }
  return seconds < 7 * 86_400 ? `${count(Math.floor(seconds / 86_400), "day")} ago` : then.toISOString().slice(0, 10);
}

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(number: number): string {
  const tens = number % 100;
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${String(number)}${ending}`;
}

/** The first digits of an id, which tell it from others on the same page. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** The name of a set by its highest number. */
export function setName(highest: number): string {
  const names: Record<number, string> = { 6: "double-six", 9: "double-nine", 12: "double-twelve", 15: "double-fifteen", 18: "double-eighteen" };
  return names[highest] ?? `double-${String(highest)}`;
}

/** Who sits on a seat: the name, or that nobody does. Names are any text: show them as text only. */
export function seatName(name: string, seat: number): string {
  return name === "" ? `seat ${String(seat)} (free)` : name;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
