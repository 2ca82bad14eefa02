package dev.sluice.samples.haboob;

/** An event for PageCache. */
sealed interface PageCacheEvent permits PageRequest, PageRead {
}
