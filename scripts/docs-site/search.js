/** Search in the documentation: finds sections that contain every word of the query. Works without a network: the index is
 *  a file of the site, loaded when the field gets the focus. */
const MOST = 12;
const SNIPPET = 140;

const site = document.querySelector('script[data-site]').dataset.site;
const box = document.querySelector('.search');
const input = box.querySelector('input');
const results = box.querySelector('.results');
let loading = null;

function loadIndex() {
  loading ??= fetch(`${site}search.json`).then((response) => {
    if (!response.ok) throw new Error(`search.json: ${response.status}`);
    return response.json();
  });
  return loading;
}

/** Returns the sections with all words, the best first: words in headings count more than words in the text. */
function find(entries, words) {
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

function scoreOf({ page, heading, text }, words) {
  const [inPage, inHeading, inText] = [page, heading, text].map((one) => one.toLowerCase());
  let score = 0;
  for (const word of words) {
    const own =
      (inHeading.includes(word) ? 8 : 0) + (inPage.includes(word) ? 4 : 0) + Math.min(3, inText.split(word).length - 1);
    if (own === 0) return 0;
    score += own;
  }
  return score;
}

/** Returns the text around the first word, with all words marked. */
function snippet(text, words) {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const from = places.length > 0 ? Math.max(0, Math.min(...places) - 40) : 0;
  const part = (from > 0 ? '… ' : '') + text.slice(from, from + SNIPPET);
  const line = document.createElement('p');
  const pattern = new RegExp(
    `(${words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
    'gi',
  );
  part.split(pattern).forEach((piece, index) => {
    if (index % 2 === 0) line.append(piece);
    else line.append(Object.assign(document.createElement('mark'), { textContent: piece }));
  });
  return line;
}

async function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    results.hidden = true;
    return;
  }
  const shown = input.value;
  let found;
  try {
    found = find(await loadIndex(), words);
  } catch (error) {
    loading = null;
    results.replaceChildren(Object.assign(document.createElement('p'), { textContent: `No search: ${error.message}` }));
    results.hidden = false;
    return;
  }
  if (shown !== input.value) return;
  const links = found.map(({ url, page, heading, text }) => {
    const link = Object.assign(document.createElement('a'), { href: `${site}${url}` });
    const where = Object.assign(document.createElement('small'), { textContent: page === heading ? '' : page });
    link.append(
      Object.assign(document.createElement('strong'), { textContent: heading }),
      ' ',
      where,
      snippet(text, words),
    );
    return link;
  });
  const none = Object.assign(document.createElement('p'), { textContent: 'Nothing found. Use other or fewer words.' });
  results.replaceChildren(...(links.length > 0 ? links : [none]));
  results.hidden = false;
}

/** Moves the focus by `step` in the field and the results. */
function move(step) {
  const places = [input, ...results.querySelectorAll('a')];
  const next = places.indexOf(document.activeElement) + step;
  places[Math.max(0, Math.min(places.length - 1, next))].focus();
}

box.hidden = false;
input.addEventListener('focus', () => {
  loadIndex().catch(() => {
    loading = null;
  });
});
input.addEventListener('input', show);
box.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Escape') {
    input.value = '';
    results.hidden = true;
    input.focus();
  } else if (event.key === 'Enter' && document.activeElement === input) results.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === input) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', (event) => {
  if (!box.contains(event.target)) results.hidden = true;
});
// The list of pages starts closed on a phone.
if (matchMedia('(max-width: 760px)').matches) document.querySelector('.pages details').open = false;
