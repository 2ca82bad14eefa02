package dev.sluice.samples.haboob;

/** What PageCache is told. */
sealed interface PageCacheEvent permits PageRequest, PageRead {
}
