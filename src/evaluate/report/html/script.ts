/** The script of the report: sorts tables, and shows the selected checkpoint and condition. Without scripts, the first
 *  group is shown and tables keep their order. */
export const REPORT_SCRIPT = `
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const value = (row, at) => {
    const cell = row.cells[at];
    if (cell.dataset.v === undefined) return cell.textContent;
    return cell.dataset.v === '' ? null : Number(cell.dataset.v);
  };
  heads.forEach((head, at) => head.querySelector('button').addEventListener('click', () => {
    const down = head.getAttribute('aria-sort') === 'ascending';
    heads.forEach((other) => other.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const sign = down ? -1 : 1;
    const rows = [...body.rows].map((row) => [row, value(row, at)]);
    rows.sort(([, a], [, b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * (typeof a === 'number' ? a - b : a.localeCompare(b, undefined, { numeric: true }));
    });
    body.append(...rows.map(([row]) => row));
  }));
}
const picks = [...document.querySelectorAll('.pick select')];
const show = () => {
  const wanted = picks.map((pick) => pick.value).join(' ');
  for (const group of document.querySelectorAll('[data-group]')) group.hidden = group.dataset.group !== wanted;
};
for (const pick of picks) pick.addEventListener('change', show);
if (picks.length > 0) show();
`;
