import "./look/tokens.css";
import "./look/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { keepForLater, registerWorker } from "./shell/registration";
import { followTheme } from "./shell/theme-color";
import { loadSummary } from "./summary/texts.svelte";
import { keepPreferences, preferences } from "./state/preferences.svelte";
import { languageNamed, languageOfBrowser, speakOrEnglish } from "./words/language.svelte";

/** Shown where the catalogue itself could not be loaded. */
const NO_WORDS = "The page could not be loaded. Check your connection, then reload it.";

keepPreferences();
const place = document.getElementById("app")!;
if (await speakOrEnglish(languageNamed(preferences.language ?? "") ?? languageOfBrowser())) {
  mount(App, { target: place });
  followTheme();
  registerWorker();
  keepForLater(loadSummary); // for the score pad
} else {
  const sentence = document.createElement("p");
  sentence.className = "screen";
  sentence.role = "alert";
  sentence.textContent = NO_WORDS;
  place.append(sentence);
}
