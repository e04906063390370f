import { call } from '../../net/api.ts';
import { DatasetBrowser } from './dataset-browser.ts';
import { preview } from './preview-store.ts';

/** State and actions of the page's dataset browser. */
export const {
  datasets,
  dataset,
  search,
  filters,
  query,
  listing,
  rowsVersion,
  chooseDataset,
  syncListing,
  visiblePages,
  refreshListing,
  ticked,
  tick,
  untickAll,
  clipAt,
  clipsIn,
  rowOf,
  needPages,
} = new DatasetBrowser({ call, preview });
