/** What the server says about a table to whoever shows a link to it (server/http/previews.py), by key of the catalogue. */
export const PREVIEW_WORDS = {
  title: "invitation.title",
  title_of: "invitation.title_of",
  about: "invitation.about",
};
