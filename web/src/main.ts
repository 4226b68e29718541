import "./look/tokens.css";
import "./look/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { keepPreferences, preferences } from "./state/preferences.svelte";
import { languageNamed, languageOfBrowser, speak } from "./words/language.svelte";

keepPreferences();
await speak(languageNamed(preferences.language ?? "") ?? languageOfBrowser());
mount(App, { target: document.getElementById("app")! });
