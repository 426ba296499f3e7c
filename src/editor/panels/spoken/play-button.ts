import { translate } from "../../texts";

/** What a row says. */
interface Said {
  /** Empty where only a message brings it, `undefined` where nothing is said. */
  readonly text: string | undefined;
  readonly speed: string;
}

/** The service documents no unit of its speeds. The phone of the sandbox takes the same one. */
const RATE_STEP = 1.15;

/**
 * Makes a button that speaks a row's text with the browser's own voice, until it is pressed again or the row is removed.
 * @returns a function to call when the row has changed
 */
export function playButton(line: JQuery, said: () => Said): () => void {
  const synthesis = window.speechSynthesis as SpeechSynthesis | undefined;
  const button = $("<button>", { type: "button", class: "red-ui-button telephony-spoken-hear" });
  const icon = $("<i>").appendTo(button);
  let utterance: SpeechSynthesisUtterance | undefined;

  button.appendTo(line).on("click", () => {
    const { text = "", speed } = said();
    if (silence() || !synthesis) return update();
    const speech = new SpeechSynthesisUtterance(text);
    speech.voice = voiceOf(text) ?? null;
    speech.lang = languageOf(text);
    speech.rate = Math.min(3, Math.max(0.4, RATE_STEP ** (Number(speed) || 0)));
    speech.onend = speech.onerror = () => {
      if (speech !== utterance) return;
      utterance = undefined;
      update();
    };
    // The browser would say this after the text of another row.
    synthesis.cancel();
    utterance = speech;
    synthesis.speak(speech);
    update();
  });
  // Browsers load their voices in the background.
  synthesis?.addEventListener("voiceschanged", update);
  button.on("remove", () => {
    synthesis?.removeEventListener("voiceschanged", update);
    silence();
  });
  return update;

  /** Whether there was something to silence. The row may be gone, with the fields that it is read from. */
  function silence(): boolean {
    const wasSpeaking = utterance !== undefined;
    utterance = undefined;
    if (wasSpeaking) synthesis?.cancel();
    return wasSpeaking;
  }

  function voiceOf(text: string): SpeechSynthesisVoice | undefined {
    return synthesis?.getVoices().find(({ lang }) => lang.toLowerCase().startsWith(languageOf(text)));
  }

  function update(): void {
    const { text } = said();
    // It keeps its place, so that the voices of all rows stand in one column.
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
    return translate("spoken.hear.noVoice", { language: names.of(languageOf(text)) ?? "" });
  }
}

/** Letters that only Vietnamese has. */
const VIETNAMESE = /[ăđơư\u1ea0-\u1ef9]/i;

/** The language of a text as far as its letters tell, else that of the editor. */
function languageOf(text: string): string {
  const editor = translate("language").slice(0, 2);
  if (VIETNAMESE.test(text.normalize())) return "vi";
  if (/[\u3040-\u30ff]/.test(text)) return "ja";
  if (/[\u4e00-\u9fff]/.test(text)) return editor === "ja" ? "ja" : "zh";
  return /vi|ja|zh/.test(editor) ? "en" : editor;
}
