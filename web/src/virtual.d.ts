declare module "virtual:words/en" {
  const words: Record<string, string>;
  export default words;
}
declare module "virtual:words/es" {
  const words: Record<string, string>;
  export default words;
}
declare module "virtual:words/es-AR" {
  const words: Record<string, string>;
  export default words;
}
declare module "virtual:rulebook/en" {
  const book: import("./words/rulebook").Book;
  export default book;
}
declare module "virtual:rulebook/es" {
  const book: import("./words/rulebook").Book;
  export default book;
}
declare module "virtual:rulebook/es-AR" {
  const book: import("./words/rulebook").Book;
  export default book;
}
declare module "virtual:summary/en" {
  const summary: import("./summary/lines").SummaryTexts;
  export default summary;
}
declare module "virtual:summary/es" {
  const summary: import("./summary/lines").SummaryTexts;
  export default summary;
}
declare module "virtual:summary/es-AR" {
  const summary: import("./summary/lines").SummaryTexts;
  export default summary;
}
