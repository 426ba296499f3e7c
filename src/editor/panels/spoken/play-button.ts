import { languageOf, rateOf } from "../../../speech";
import { translate } from "../../texts";

interface Speech {
  /** Empty if it comes from a message, `undefined` if the row says nothing. */
  readonly text: string | undefined;
  readonly speed: string;
}

/**
 * Makes a button that speaks a row's text with the browser's own voice, until it is pressed again or the row is removed.
 * @returns a function to call when the row has changed
 */
export function playButton(line: JQuery, speechOf: () => Speech): () => void {
  const synthesis = window.speechSynthesis as SpeechSynthesis | undefined;
  const button = $("<button>", { type: "button", class: "red-ui-button telephony-spoken-hear" });
  const icon = $("<i>").appendTo(button);
  let utterance: SpeechSynthesisUtterance | undefined;

  button.appendTo(line).on("click", () => {
    const { text = "", speed } = speechOf();
    if (silence() || !synthesis) return update();
    const next = new SpeechSynthesisUtterance(text);
    next.voice = voiceOf(text) ?? null;
    next.lang = spokenLanguage(text);
    next.rate = rateOf(Number(speed) || 0);
    next.onend = next.onerror = () => {
      if (next !== utterance) return;
      utterance = undefined;
      update();
    };
    // Otherwise the browser would finish the text of another row first.
    synthesis.cancel();
    utterance = next;
    synthesis.speak(next);
    update();
  });
  // Browsers load their voices in the background.
  synthesis?.addEventListener("voiceschanged", update);
  button.on("remove", () => {
    synthesis?.removeEventListener("voiceschanged", update);
    silence();
  });
  return update;

  /** Returns whether the button was speaking. Does not read the row, which may be gone. */
  function silence(): boolean {
    const wasSpeaking = utterance !== undefined;
    utterance = undefined;
    if (wasSpeaking) synthesis?.cancel();
    return wasSpeaking;
  }

  function voiceOf(text: string): SpeechSynthesisVoice | undefined {
    return synthesis?.getVoices().find(({ lang }) => lang.toLowerCase().startsWith(spokenLanguage(text)));
  }

  function update(): void {
    const { text } = speechOf();
    // A hidden button keeps its place, which aligns the voices of all rows.
    button.css("visibility", text === undefined ? "hidden" : "");
    if (text === undefined) silence();
    const reason = reasonNotToSpeak(text ?? "");
    icon.attr("class", `fa fa-${utterance ? "stop" : "play"}`);
    button.prop("disabled", !utterance && reason !== undefined);
    button.attr("title", utterance ? translate("spoken.hear.stop") : (reason ?? translate("spoken.hear.title")));
  }

  function reasonNotToSpeak(text: string): string | undefined {
    if (text.trim() === "") return translate("spoken.hear.noText");
    if (voiceOf(text)) return undefined;
    const names = new Intl.DisplayNames(translate("language"), { type: "language" });
    return translate("spoken.hear.noVoice", { language: names.of(spokenLanguage(text)) ?? "" });
  }
}

function spokenLanguage(text: string): string {
  return languageOf(text, translate("language").slice(0, 2));
}
